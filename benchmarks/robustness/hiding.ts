/** Long harmless texts, and a vile one hidden in them. */
import type { Judge, Judgement } from '../accuracy/judges/judge.js';
import { judgeAll } from './judging.js';
import type { Random } from './random.js';

export const PLACES = ['beginning', 'middle', 'end', 'anywhere'] as const;
export type Place = (typeof PLACES)[number];

export const LONG_CHARACTERS = 9_900;
/** So many of those that score the worst are hidden. */
export const HIDDEN_TEXTS = 100;
/** Of a kind of harmless texts, so many are what others are hidden in. */
export const MOST_SURROUNDINGS = 1_000;
/** Where nobody read them, a vile text is one that is toxic by its label, short, and judged to be of the worst when it stands alone. */
const VILE = { mostCharacters: 150, leastScore: 9 };

/** Texts one a line, chosen at random, the last one cut off. */
export function joined(texts: readonly string[], characters: number, random: Random): string {
  let result = random.pick(texts);
  while (result.length < characters) result += `\n${random.pick(texts)}`;
  return result.slice(0, characters).toWellFormed();
}

export function hide(needle: string, hay: string, place: Place, random: Random): string {
  if (place === 'beginning') return `${needle}\n${hay}`;
  if (place === 'end') return `${hay}\n${needle}`;
  const about = place === 'middle' ? hay.length / 2 : random.below(hay.length);
  const at = Math.max(0, hay.indexOf(' ', about));
  return `${hay.slice(0, at)} ${needle} ${hay.slice(at)}`;
}

export async function vileOf(judge: Judge, toxic: readonly string[]): Promise<string[]> {
  const candidates = toxic.filter(({ length }) => length <= VILE.mostCharacters);
  const judged = await judgeAll(judge, candidates);
  return candidates.filter((_, index) => (judged[index]?.score ?? 0) >= VILE.leastScore);
}

/** Whether a text passes so easily that what is flagged with it is flagged for what is hidden in it. */
export function isPeaceful(judged: Judgement | undefined): boolean {
  return judged !== undefined && judged.score <= 2 && judged.passed;
}
