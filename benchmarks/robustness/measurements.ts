/** What disguises and length do to verdicts. Knows judges and texts, nothing of files or command lines. */
import type { Judge, Judgement } from '../accuracy/judges/judge.js';
import { mapInOrder } from '../accuracy/ordered-map.js';
import { disguised, DISGUISES } from './disguises.js';
import { createRandom, sample, type Random } from './random.js';

export interface LabelledTexts {
  readonly toxic: readonly string[];
  readonly harmless: readonly string[];
}

/** With a second look at what is behind a label. */
export interface ReadTexts extends LabelledTexts {
  /** Those of the harmless texts that readers do not call abusive. */
  readonly readHarmless: readonly string[];
  /** Toxic texts that readers call vile; all of them are hidden, whatever they score. */
  readonly readVile: readonly string[];
}

export interface FlagRates {
  /** Share of the toxic texts that do not pass. */
  readonly recall: number;
  /** Share of the harmless texts that do not pass. */
  readonly falseAlarms: number;
}

export interface DisguiseFigures extends FlagRates {
  readonly disguise: string;
}

export interface FlaggedByLength {
  readonly texts: number;
  /** Share of harmless texts that do not pass, alone and joined to LONG_CHARACTERS. */
  readonly shortFlagged: number;
  readonly longFlagged: number;
}

export interface LengthFigures {
  /** Of what is harmless by its label, and of what readers do not call abusive either. */
  readonly byLabel: FlaggedByLength;
  readonly byReaders: FlaggedByLength;
  readonly longTexts: number;
  /** Of toxic texts of the worst score hidden in harmless ones, the share that is found, by where they stand. */
  readonly found: FoundByPlace;
  readonly hidden: number;
  /** The same of what readers call vile, and how much of it is flagged when it stands alone. */
  readonly vile: { readonly texts: number; readonly shortFlagged: number; readonly found: FoundByPlace };
}

export type FoundByPlace = Readonly<Partial<Record<Place, number>>>;

export interface HarmfulText {
  readonly text: string;
  /** Whether its readers call it so. */
  readonly isVile: boolean;
}

/** How often texts of one kind of harm are found within harmless ones. */
export interface HiddenKindFigures extends FoundByLength {
  readonly kind: string;
  /** The same of those that score at least TOXIC_SCORE when they stand alone: where some are missed, it is for the length of the text. */
  readonly toxicAlone: FoundByLength;
  /** The same of those that are called vile; each of them is hidden, found alone or not. */
  readonly vile: FoundByLength;
}

export interface FoundByLength {
  /** How many of the short texts are hidden: of a kind those that are found when they stand alone. */
  readonly texts: number;
  /** Share that is found, by the characters of the harmless text around them. */
  readonly found: ReadonlyMap<number, number>;
}

/** The same as LengthFigures, within texts of one kind, harmless by their label. */
export interface SurroundingFigures {
  readonly kind: string;
  /** Share of these texts that do not pass, alone and joined to LONG_CHARACTERS. */
  readonly shortFlagged: number;
  readonly longFlagged: number;
  /** Of texts hidden anywhere within those of the kind that pass easily. */
  readonly vileTexts: Found;
  readonly vileSentences: Found;
}

export interface Found {
  readonly hidden: number;
  /** Share of these that is found; undefined without any. */
  readonly share: number | undefined;
}

/** What is hidden in harmless texts. */
export interface Needles {
  /** Toxic texts; of these, the vile ones are hidden. */
  readonly toxic: readonly string[];
  /** Vile by what they say, whatever they are judged to be: each is hidden. */
  readonly vileSentences: readonly string[];
}

const PLACES = ['beginning', 'middle', 'end', 'anywhere'] as const;
type Place = (typeof PLACES)[number];

const DISGUISED_TEXTS = 500;
/** A disguise is about words: longer texts would say more about windows. */
const DISGUISED_CHARACTERS = { least: 20, most: 500 };
const LONG_CHARACTERS = 9_900;
/** Of which a tenth is flagged: one standard error is a point. */
const LONG_TEXTS = 1_000;
const HIDDEN_TEXTS = 100;
/** Where nobody read them, a vile text is one that is toxic by its label, short, and judged to be of the worst when it stands alone. */
const VILE = { mostCharacters: 150, leastScore: 9 };
/** The least score of the Toxic band. */
const TOXIC_SCORE = 7;
const KIND_CHARACTERS = { most: 300 };
/** A post of two or three windows, one of seven, and the longest. */
const SURROUNDINGS = [600, 2_500, LONG_CHARACTERS];
const MOST_SURROUNDINGS = 1_000;
/** Of each kind of surroundings that the caller brings. */
const LONG_TEXTS_OF_KIND = 100;
/** Each text is hidden at so many places, each time in other harmless ones. */
const TIMES_HIDDEN = 3;

/** @param seed which texts are drawn, and what is done to them */
export async function measureDisguises(judge: Judge, texts: LabelledTexts, seed: number): Promise<DisguiseFigures[]> {
  const suits = ({ length }: string): boolean =>
    length >= DISGUISED_CHARACTERS.least && length <= DISGUISED_CHARACTERS.most;
  const random = createRandom(seed);
  const toxic = sample(texts.toxic.filter(suits), DISGUISED_TEXTS, random);
  const harmless = sample(texts.harmless.filter(suits), DISGUISED_TEXTS, random);
  const figures: DisguiseFigures[] = [{ disguise: 'none', ...(await ratesOf(judge, { toxic, harmless })) }];
  for (const disguise of DISGUISES) {
    const dress = (text: string): string => disguised(text, disguise, random);
    const rates = await ratesOf(judge, { toxic: toxic.map(dress), harmless: harmless.map(dress) });
    figures.push({ disguise: disguise.name, ...rates });
  }
  return figures;
}

/** @param seed as of measureDisguises */
export async function measureLength(
  judge: Judge,
  { toxic, harmless, readHarmless, readVile }: ReadTexts,
  seed: number,
): Promise<LengthFigures> {
  const random = createRandom(seed);
  const flaggedOf = async (texts: readonly string[]): Promise<{ figures: FlaggedByLength; peaceful: string[] }> => {
    const short = texts.filter(({ length }) => length <= LONG_CHARACTERS);
    const judged = await judgeAll(judge, short);
    const long = Array.from({ length: LONG_TEXTS }, () => joined(short, LONG_CHARACTERS, random));
    const longFlagged = flaggedShare(await judgeAll(judge, long));
    const figures = { texts: short.length, shortFlagged: flaggedShare(judged), longFlagged };
    return { figures, peaceful: short.filter((_, index) => isPeaceful(judged[index])) };
  };
  const { figures: byLabel } = await flaggedOf(harmless);
  const { figures: byReaders, peaceful } = await flaggedOf(readHarmless);

  const findHidden = async (needles: readonly string[]): Promise<FoundByPlace> => {
    const found: Partial<Record<Place, number>> = {};
    for (const place of needles.length > 0 ? PLACES : []) {
      const hidden = needles.map((text) => hide(text, joined(peaceful, LONG_CHARACTERS, random), place, random));
      found[place] = flaggedShare(await judgeAll(judge, hidden));
    }
    return found;
  };
  const worst = sample(await vileOf(judge, toxic), HIDDEN_TEXTS, random);
  const found = await findHidden(worst);
  const shortFlagged = readVile.length > 0 ? flaggedShare(await judgeAll(judge, readVile)) : 0;
  const vile = { texts: readVile.length, shortFlagged, found: await findHidden(readVile) };
  return { byLabel, byReaders, longTexts: LONG_TEXTS, found, hidden: worst.length, vile };
}

/**
 * @param kinds harmless texts, by their kind
 * @param seed as of measureDisguises
 */
export async function measureSurroundings(
  judge: Judge,
  { toxic, vileSentences }: Needles,
  kinds: ReadonlyMap<string, readonly string[]>,
  seed: number,
): Promise<SurroundingFigures[]> {
  const allVile = await vileOf(judge, toxic);
  const figures: SurroundingFigures[] = [];
  for (const [kind, texts] of kinds) {
    const random = createRandom(seed);
    const short = sample(
      texts.filter(({ length }) => length <= LONG_CHARACTERS),
      MOST_SURROUNDINGS,
      random,
    );
    const judged = await judgeAll(judge, short);
    const long = Array.from({ length: LONG_TEXTS_OF_KIND }, () => joined(short, LONG_CHARACTERS, random));
    const peaceful = short.filter((_, index) => isPeaceful(judged[index]));
    const findHidden = async (needles: readonly string[]): Promise<Found> => {
      if (peaceful.length === 0 || needles.length === 0) return { hidden: 0, share: undefined };
      const hidden = needles.map((text) => hide(text, joined(peaceful, LONG_CHARACTERS, random), 'anywhere', random));
      return { hidden: hidden.length, share: flaggedShare(await judgeAll(judge, hidden)) };
    };
    figures.push({
      kind,
      shortFlagged: flaggedShare(judged),
      longFlagged: flaggedShare(await judgeAll(judge, long)),
      vileTexts: await findHidden(sample(allVile, HIDDEN_TEXTS, random)),
      vileSentences: await findHidden(vileSentences),
    });
  }
  return figures;
}

async function vileOf(judge: Judge, toxic: readonly string[]): Promise<string[]> {
  const candidates = toxic.filter(({ length }) => length <= VILE.mostCharacters);
  const judged = await judgeAll(judge, candidates);
  return candidates.filter((_, index) => (judged[index]?.score ?? 0) >= VILE.leastScore);
}

function isPeaceful(judged: Judgement | undefined): boolean {
  return judged !== undefined && judged.score <= 2 && judged.passed;
}

interface Needle extends HarmfulText {
  readonly isFoundAlone: boolean;
  readonly isToxicAlone: boolean;
}

const isFoundAlone = (needle: Needle): boolean => needle.isFoundAlone;
const isToxicAlone = (needle: Needle): boolean => needle.isToxicAlone;
const isVile = (needle: Needle): boolean => needle.isVile;

/**
 * @param kinds texts of harm, by its kind
 * @param seed as of measureDisguises
 */
export async function measureHiddenKinds(
  judge: Judge,
  kinds: ReadonlyMap<string, readonly HarmfulText[]>,
  harmless: readonly string[],
  seed: number,
): Promise<HiddenKindFigures[]> {
  const random = createRandom(seed);
  const surroundings = sample(
    harmless.filter((text) => text.length <= LONG_CHARACTERS),
    MOST_SURROUNDINGS,
    random,
  );
  const judged = await judgeAll(judge, surroundings);
  const peaceful = surroundings.filter((_, index) => isPeaceful(judged[index]));
  const figures: HiddenKindFigures[] = [];
  for (const [kind, harmful] of kinds) {
    const short = harmful.filter(({ text }) => text.length <= KIND_CHARACTERS.most);
    const alone = await judgeAll(
      judge,
      short.map(({ text }) => text),
    );
    const needles: Needle[] = short
      .map((needle, index) => ({
        ...needle,
        isFoundAlone: alone[index]?.passed === false,
        isToxicAlone: (alone[index]?.score ?? 0) >= TOXIC_SCORE,
      }))
      .filter((needle) => isFoundAlone(needle) || isVile(needle));
    const hidden = Array.from({ length: TIMES_HIDDEN }, () => needles).flat();
    const judgedAt = new Map<number, Judgement[]>();
    for (const characters of SURROUNDINGS) {
      const texts = hidden.map(({ text }) => hide(text, joined(peaceful, characters, random), 'anywhere', random));
      judgedAt.set(characters, await judgeAll(judge, texts));
    }
    const foundOf = (isCounted: (needle: Needle) => boolean): FoundByLength => {
      const texts = needles.filter(isCounted).length;
      const shareOf = (judgements: readonly Judgement[]): number =>
        flaggedShare(judgements.filter((_, index) => hidden[index] !== undefined && isCounted(hidden[index])));
      return { texts, found: new Map(texts === 0 ? [] : [...judgedAt].map(([at, them]) => [at, shareOf(them)])) };
    };
    figures.push({ kind, ...foundOf(isFoundAlone), toxicAlone: foundOf(isToxicAlone), vile: foundOf(isVile) });
  }
  return figures;
}

/** The same of all kinds of a list together, where kinds are called "list: kind"; and of all such lists. */
export function listsTogether(figures: readonly HiddenKindFigures[]): HiddenKindFigures[] {
  const ofLists = figures.filter(({ kind }) => kind.includes(': '));
  const lists = new Set(ofLists.map(({ kind }) => listOf(kind)));
  return [
    ...[...lists].map((list) =>
      together(
        `${list}: all`,
        ofLists.filter(({ kind }) => listOf(kind) === list),
      ),
    ),
    ...(lists.size > 1 ? [together('all lists', ofLists)] : []),
  ];
}

function listOf(kind: string): string {
  return kind.slice(0, kind.indexOf(': '));
}

function together(kind: string, figures: readonly HiddenKindFigures[]): HiddenKindFigures {
  const [toxicAlone, vile] = [figures.map((part) => part.toxicAlone), figures.map((part) => part.vile)];
  return { kind, ...pooled(figures), toxicAlone: pooled(toxicAlone), vile: pooled(vile) };
}

function pooled(parts: readonly FoundByLength[]): FoundByLength {
  const texts = sumOf(parts.map((part) => part.texts));
  const shareAt = (length: number): number =>
    sumOf(parts.map((part) => part.texts * (part.found.get(length) ?? 0))) / texts;
  return { texts, found: new Map(texts === 0 ? [] : SURROUNDINGS.map((length) => [length, shareAt(length)])) };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

async function ratesOf(judge: Judge, texts: LabelledTexts): Promise<FlagRates> {
  return {
    recall: flaggedShare(await judgeAll(judge, texts.toxic)),
    falseAlarms: flaggedShare(await judgeAll(judge, texts.harmless)),
  };
}

function flaggedShare(judgements: readonly Judgement[]): number {
  return judgements.filter(({ passed }) => !passed).length / judgements.length;
}

async function judgeAll(judge: Judge, texts: readonly string[]): Promise<Judgement[]> {
  const judgements: Judgement[] = [];
  for await (const outcome of mapInOrder(eachOf(texts), (text) => judge.judge(text), judge)) {
    if ('error' in outcome) throw new RangeError(`a text could not be judged: ${outcome.error}`);
    judgements.push(outcome);
  }
  return judgements;
}

// eslint-disable-next-line @typescript-eslint/require-await -- an async iterable of what is at hand already
async function* eachOf<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

/** Texts one a line, chosen at random, the last one cut off. */
function joined(texts: readonly string[], characters: number, random: Random): string {
  let result = random.pick(texts);
  while (result.length < characters) result += `\n${random.pick(texts)}`;
  return result.slice(0, characters).toWellFormed();
}

function hide(needle: string, hay: string, place: Place, random: Random): string {
  if (place === 'beginning') return `${needle}\n${hay}`;
  if (place === 'end') return `${hay}\n${needle}`;
  const about = place === 'middle' ? hay.length / 2 : random.below(hay.length);
  const at = Math.max(0, hay.indexOf(' ', about));
  return `${hay.slice(0, at)} ${needle} ${hay.slice(at)}`;
}
