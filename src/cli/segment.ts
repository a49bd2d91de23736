/**
 * Entry point of the command that the training pipeline reads its segments from: for each JSON line `{"text": …}` on standard input one line
 * `{"text": normalised, "segments": [[start, end], …]}` on standard output, in order. Offsets count UTF-16 units of the normalised text.
 */
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { z } from 'zod';
import { normalise } from '../text/normalise.js';
import { segmentsOf } from '../text/segments.js';

const Line = z.object({ text: z.string() });

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const text = normalise(Line.parse(JSON.parse(line)).text);
  const segments = segmentsOf(text).map(({ start, end }) => [start, end]);
  if (!process.stdout.write(`${JSON.stringify({ text, segments })}\n`)) await once(process.stdout, 'drain');
}
