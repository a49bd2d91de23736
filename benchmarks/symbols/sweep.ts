/** Puts characters around and into the words of sentences, and counts the severe ones that are still found and the harmless ones that are not let through. */
import { normalise } from 'parapet/engine';
import type { Judge } from '../accuracy/judges/judge.js';
import { judgeAll } from '../robustness/judging.js';
import { partOf, sample, type Random } from '../robustness/random.js';
import { charactersOf, type Category } from './code-points.js';
import { PLACEMENTS } from './placements.js';

export interface SweptSentences {
  /** Each fails when it stands as it is. */
  readonly severe: readonly string[];
  /** Each passes. */
  readonly harmless: readonly string[];
}

export interface SweepFigures {
  readonly category: Category;
  readonly placement: string;
  readonly characters: number;
  /** Share of the severe sentences that fail, from 0 to 1. */
  readonly found: number;
  /** Share of the harmless sentences that fail. */
  readonly flagged: number;
}

/** Of these sentences those that are judged as they should be when they stand as they are. */
export async function judgedRight(judge: Judge, { severe, harmless }: SweptSentences): Promise<SweptSentences> {
  const rightOf = async (texts: readonly string[], passes: boolean): Promise<string[]> => {
    const judgements = await judgeAll(judge, texts);
    return texts.filter((_, index) => judgements[index]?.passed === passes);
  };
  return { severe: await rightOf(severe, false), harmless: await rightOf(harmless, true) };
}

/** Each character is tried in one severe and one harmless sentence, drawn at random, in each placement. */
export async function sweep(
  judge: Judge,
  sentences: SweptSentences,
  category: Category,
  share: number,
  random: Random,
): Promise<SweepFigures[]> {
  const all = charactersOf(category);
  const characters = sample(all, partOf(all.length, share), random);
  const figures: SweepFigures[] = [];
  for (const [placement, place] of Object.entries(PLACEMENTS)) {
    const failing = async (texts: readonly string[], fails: boolean): Promise<number> => {
      const drawn = characters.map((character) => ({ character, text: random.pick(texts) }));
      const placed = drawn.map(({ character, text }) => ({ plain: text, text: place(text, character) }));
      // What reads as the plain sentence is judged as it is.
      const differing = placed.filter(({ plain, text }) => normalise(text) !== normalise(plain));
      const judgements = await judgeAll(
        judge,
        differing.map(({ text }) => text),
      );
      const failed = judgements.filter(({ passed }) => !passed).length;
      return (failed + (fails ? placed.length - differing.length : 0)) / placed.length;
    };
    figures.push({
      category,
      placement,
      characters: characters.length,
      found: await failing(sentences.severe, true),
      flagged: await failing(sentences.harmless, false),
    });
  }
  return figures;
}
