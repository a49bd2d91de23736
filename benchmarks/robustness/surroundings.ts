/** What length does to verdicts within harmless texts of kinds that the caller brings. */
import type { Judge } from '../accuracy/judges/judge.js';
import { hide, HIDDEN_TEXTS, joined, LONG_CHARACTERS, MOST_SURROUNDINGS, peacefulOf, severeOf } from './hiding.js';
import { flaggedShare, judgeAll } from './judging.js';
import { createRandom, partOf, sample } from './random.js';

/** What length does within texts of one kind, harmless by their label. */
export interface SurroundingFigures {
  readonly kind: string;
  /** Share of these texts that do not pass, alone and joined to LONG_CHARACTERS. */
  readonly shortFlagged: number;
  readonly longFlagged: number;
  /** Of texts hidden anywhere within those of the kind that pass easily. */
  readonly severeTexts: Found;
  readonly severeSentences: Found;
}

export interface Found {
  readonly hidden: number;
  /** Share of these that is found; undefined without any. */
  readonly share: number | undefined;
}

/** What is hidden in harmless texts. */
export interface Needles {
  /** Toxic texts; of these, the severe ones are hidden. */
  readonly toxic: readonly string[];
  /** Severe by what they say, whatever they are judged to be: each is hidden. */
  readonly severeSentences: readonly string[];
}

/** Of each kind. */
const LONG_TEXTS_OF_KIND = 100;

/**
 * @param kinds harmless texts, by their kind
 * @param seed which texts are drawn, and where others are hidden in them
 * @param share how many are drawn and hidden, of as many as there would be
 */
export async function measureSurroundings(
  judge: Judge,
  { toxic, severeSentences }: Needles,
  kinds: ReadonlyMap<string, readonly string[]>,
  seed: number,
  share = 1,
): Promise<SurroundingFigures[]> {
  const allSevere = await severeOf(judge, toxic);
  const figures: SurroundingFigures[] = [];
  for (const [kind, texts] of kinds) {
    const random = createRandom(seed);
    const short = sample(
      texts.filter(({ length }) => length <= LONG_CHARACTERS),
      MOST_SURROUNDINGS,
      random,
    );
    const judged = await judgeAll(judge, short);
    const long = Array.from({ length: partOf(LONG_TEXTS_OF_KIND, share) }, () =>
      joined(short, LONG_CHARACTERS, random),
    );
    const peaceful = peacefulOf(short, judged);
    const findHidden = async (needles: readonly string[]): Promise<Found> => {
      if (peaceful.length === 0 || needles.length === 0) return { hidden: 0, share: undefined };
      const hidden = needles.map((text) => hide(text, joined(peaceful, LONG_CHARACTERS, random), 'anywhere', random));
      return { hidden: hidden.length, share: flaggedShare(await judgeAll(judge, hidden)) };
    };
    figures.push({
      kind,
      shortFlagged: flaggedShare(judged),
      longFlagged: flaggedShare(await judgeAll(judge, long)),
      severeTexts: await findHidden(sample(allSevere, partOf(HIDDEN_TEXTS, share), random)),
      severeSentences: await findHidden(sample(severeSentences, partOf(severeSentences.length, share), random)),
    });
  }
  return figures;
}
