/** What the service gives its model for a text, made beforehand: for the raw loop, which must do the same arithmetic and nothing else. */
import { createEncoder, type EncodedText } from 'parapet/engine';
import { LONG_CHARACTERS } from '../loads.js';
import { createTextSequence, TYPICAL_TURN } from './text-sequence.js';

export interface ModelInputs {
  /** The first texts of every load of unique ones, in order. */
  readonly short: readonly EncodedText[];
  /** Of texts of `LONG_CHARACTERS`. */
  readonly long: readonly EncodedText[];
  /** Single runs of as many tokens as the network reads at once. */
  readonly windows: readonly EncodedText[];
}

const SHORT_TEXTS = 2000;
const LONG_TEXTS = 40;
const WINDOWS = 20;

export async function createModelInputs(
  pool: readonly string[],
  modelFolder: string,
  maxTokens: number,
): Promise<ModelInputs> {
  const encode = await createEncoder(modelFolder);
  const texts = createTextSequence(pool);
  const first = TYPICAL_TURN * pool.length;
  const long = Array.from({ length: LONG_TEXTS }, (_, index) =>
    withoutRepeats(encode(texts.sized(index, LONG_CHARACTERS))),
  );
  return {
    short: Array.from({ length: SHORT_TEXTS }, (_, index) => encode(texts.unique(first + index))),
    long,
    windows: long.slice(0, WINDOWS).map((text) => windowOf(text, maxTokens)),
  };
}

/** Of a text that is shared out among workers, the service judges equal runs once. */
function withoutRepeats({ whole, segments }: EncodedText): EncodedText {
  return { whole, segments: [...new Map(segments.map((ids) => [ids.join(' '), ids])).values()] };
}

function windowOf({ segments: [first, ...others] }: EncodedText, maxTokens: number): EncodedText {
  const ids = [first, ...others].flatMap((segment) => Array.from(segment?.subarray(1, -1) ?? []));
  const frame = [first?.at(0) ?? 0, first?.at(-1) ?? 0] as const;
  return {
    whole: undefined,
    segments: [Int32Array.of(frame[0], ...ids.slice(0, maxTokens - frame.length), frame[1])],
  };
}
