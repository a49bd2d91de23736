/**
 * Which runs the service makes of a text of which nobody wants spans, and in what order: the one place where the raw loop copies its decisions.
 * Knows no session.
 */
import type { Network, EncodedText } from 'parapet/engine';

export async function judgeText({ whole, segments }: EncodedText, { tellsHighest, run }: Network): Promise<void> {
  if (whole !== undefined && ((await run(whole)) || tellsHighest)) return;
  for (const ids of segments) await run(ids);
}
