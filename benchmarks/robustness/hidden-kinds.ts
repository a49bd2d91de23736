/** How often our own probes are found within harmless texts, by kind of harm and by length. */
import type { Judge, Judgement } from '../accuracy/judges/judge.js';
import { hide, joined, LONG_CHARACTERS, MOST_SURROUNDINGS, peacefulOf } from './hiding.js';
import { flaggedShare, judgeAll } from './judging.js';
import type { HarmfulText } from './labelled-texts.js';
import { createRandom, partOf, sample, type Random } from './random.js';

/** How often texts of one kind of harm are found within harmless ones. */
export interface HiddenKindFigures extends FoundByLength {
  readonly kind: string;
  /** The same of those that score at least TOXIC_SCORE when they stand alone: where some are missed, it is for the length of the text. */
  readonly toxicAlone: FoundByLength;
  /** The same of those that are called severe; each of them is hidden, found alone or not. */
  readonly severe: FoundByLength;
}

export interface FoundByLength {
  /** How many of the short texts are hidden: of a kind those that are found when they stand alone. */
  readonly texts: number;
  /** Share that is found, by the characters of the harmless text around them. */
  readonly found: ReadonlyMap<number, number>;
}

/** The least score of the Toxic band. */
const TOXIC_SCORE = 7;
const KIND_CHARACTERS = { most: 300 };
/** A post of two or three windows, one of seven, and the longest. */
const SURROUNDINGS = [600, 2_500, LONG_CHARACTERS];
/** Each text is hidden at so many places, each time in other harmless ones. */
const TIMES_HIDDEN = 3;

interface Needle extends HarmfulText {
  readonly isFoundAlone: boolean;
  readonly isToxicAlone: boolean;
}

const isFoundAlone = (needle: Needle): boolean => needle.isFoundAlone;
const isToxicAlone = (needle: Needle): boolean => needle.isToxicAlone;
const isSevere = (needle: Needle): boolean => needle.isSevere;

/**
 * @param kinds texts of harm, by its kind
 * @param seed which texts are drawn, and where others are hidden in them
 * @param share how many are hidden, of as many as there would be: first fewer times each, then fewer texts
 */
export async function measureHiddenKinds(
  judge: Judge,
  kinds: ReadonlyMap<string, readonly HarmfulText[]>,
  harmless: readonly string[],
  seed: number,
  share = 1,
): Promise<HiddenKindFigures[]> {
  const random = createRandom(seed);
  const times = partOf(TIMES_HIDDEN, share);
  const surroundings = sample(
    harmless.filter((text) => text.length <= LONG_CHARACTERS),
    MOST_SURROUNDINGS,
    random,
  );
  const judged = await judgeAll(judge, surroundings);
  const peaceful = peacefulOf(surroundings, judged);
  const figures: HiddenKindFigures[] = [];
  for (const [kind, harmful] of kinds) {
    const short = someOf(
      harmful.filter(({ text }) => text.length <= KIND_CHARACTERS.most),
      (TIMES_HIDDEN * share) / times,
      random,
    );
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
      .filter((needle) => isFoundAlone(needle) || isSevere(needle));
    const hidden = Array.from({ length: times }, () => needles).flat();
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
    figures.push({ kind, ...foundOf(isFoundAlone), toxicAlone: foundOf(isToxicAlone), severe: foundOf(isSevere) });
  }
  return figures;
}

/** All of them where the share is 1 or more. */
function someOf<T>(all: readonly T[], share: number, random: Random): readonly T[] {
  return share < 1 ? sample(all, partOf(all.length, share), random) : all;
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
  const [toxicAlone, severe] = [figures.map((part) => part.toxicAlone), figures.map((part) => part.severe)];
  return { kind, ...pooled(figures), toxicAlone: pooled(toxicAlone), severe: pooled(severe) };
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
