/** What a judge says of many texts. */
import type { Judge, Judgement } from '../accuracy/judges/judge.js';
import { mapInOrder } from '../accuracy/ordered-map.js';

/** Share of the texts that do not pass. */
export function flaggedShare(judgements: readonly Judgement[]): number {
  return judgements.filter(({ passed }) => !passed).length / judgements.length;
}

/** The verdicts in the order of the texts. @throws RangeError if a text cannot be judged */
export async function judgeAll(judge: Judge, texts: readonly string[]): Promise<Judgement[]> {
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
