/** Which runs the service makes of a text, and in what order: the one place where the raw loop copies its decisions. Knows no session. */
import type { TextRuns } from '../texts/model-inputs.js';

/** @returns whether the network left early, certain that what it read is harmless */
export type Runner = (ids: Int32Array) => Promise<boolean>;

export async function judgeText({ whole, segments }: TextRuns, run: Runner): Promise<void> {
  if (whole !== undefined && (await run(whole))) return;
  for (const ids of segments) await run(ids);
}
