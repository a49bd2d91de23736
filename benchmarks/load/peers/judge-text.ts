/** Which runs the service makes of a text, and in what order: the one place where the raw loop copies its decisions. Knows no session. */
import type { TextRuns } from '../texts/model-inputs.js';

/** Values of the network's outputs by name, of one run. */
export type Outputs = Readonly<Record<string, Float32Array>>;

export type Runner = (ids: Int32Array) => Promise<Outputs>;

export async function judgeText({ whole, segments }: TextRuns, run: Runner): Promise<void> {
  if (whole !== undefined) await run(whole);
  for (const ids of segments) await run(ids);
}
