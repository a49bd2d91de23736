/** What length does to verdicts: harmless texts joined, and one toxic or severe text hidden in them. */
import type { Judge } from '../accuracy/judges/judge.js';
import { hide, HIDDEN_TEXTS, joined, LONG_CHARACTERS, peacefulOf, PLACES, severeOf, type Place } from './hiding.js';
import { flaggedShare, judgeAll } from './judging.js';
import type { ReadTexts } from './labelled-texts.js';
import { createRandom, partOf, sample } from './random.js';

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
  /** The same of what readers call severe, and how much of it is flagged when it stands alone. */
  readonly severe: { readonly texts: number; readonly shortFlagged: number; readonly found: FoundByPlace };
}

export type FoundByPlace = Readonly<Partial<Record<Place, number>>>;

/** Of which a tenth is flagged: one standard error is a point. */
const LONG_TEXTS = 1_000;

/**
 * @param seed which texts are drawn, and where others are hidden in them
 * @param share how many are drawn and hidden, of as many as there would be
 */
export async function measureLength(
  judge: Judge,
  { toxic, harmless, readHarmless, readSevere }: ReadTexts,
  seed: number,
  share = 1,
): Promise<LengthFigures> {
  const random = createRandom(seed);
  const longTexts = partOf(LONG_TEXTS, share);
  const flaggedOf = async (texts: readonly string[]): Promise<{ figures: FlaggedByLength; peaceful: string[] }> => {
    const short = texts.filter(({ length }) => length <= LONG_CHARACTERS);
    const judged = await judgeAll(judge, short);
    const long = Array.from({ length: longTexts }, () => joined(short, LONG_CHARACTERS, random));
    const longFlagged = flaggedShare(await judgeAll(judge, long));
    const figures = { texts: short.length, shortFlagged: flaggedShare(judged), longFlagged };
    return { figures, peaceful: peacefulOf(short, judged) };
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
  const worst = sample(await severeOf(judge, toxic), partOf(HIDDEN_TEXTS, share), random);
  const found = await findHidden(worst);
  const readByMost = share === 1 ? readSevere : sample(readSevere, partOf(readSevere.length, share), random);
  const shortFlagged = readByMost.length > 0 ? flaggedShare(await judgeAll(judge, readByMost)) : 0;
  const severe = { texts: readByMost.length, shortFlagged, found: await findHidden(readByMost) };
  return { byLabel, byReaders, longTexts, found, hidden: worst.length, severe };
}
