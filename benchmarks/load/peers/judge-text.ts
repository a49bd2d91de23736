/**
 * Which runs the service makes of a text of which nobody wants spans, and in what order: the one place where the raw loop copies its decisions.
 * Knows no session.
 */
import type { TextRuns } from '../texts/model-inputs.js';

export interface Network {
  /** Whether it says of a run over several segments what the worst of them is. */
  readonly tellsHighest: boolean;
  /** @returns whether it left early, certain that what it read is harmless */
  readonly run: (ids: Int32Array) => Promise<boolean>;
}

export async function judgeText({ whole, segments }: TextRuns, { tellsHighest, run }: Network): Promise<void> {
  if (whole !== undefined && ((await run(whole)) || tellsHighest)) return;
  for (const ids of segments) await run(ids);
}
