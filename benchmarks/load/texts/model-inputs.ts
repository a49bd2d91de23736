/** What the service gives its model for a text, made beforehand: for the raw loop, which must do the same arithmetic and nothing else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { TOKENIZER_FILE, type Manifest } from '../../../src/inference/manifest.js';
import { createTextTokenizer } from '../../../src/inference/tokenizer.js';
import { FRAME_TOKENS, framedTokens, runsOf, slicesOf, wholeOf, type Run } from '../../../src/inference/runs.js';
import { readText } from '../../../src/text/read-text.js';
import { LONG_CHARACTERS } from '../loads.js';
import { createTextSequence, TYPICAL_TURN } from './text-sequence.js';

/** The ids of each run that the network may make on a text, frame included. Which of them it makes, peers/judge-text.ts says. */
export interface TextRuns {
  /** What its segments say together, where there are several and one run has room for them. */
  readonly whole: Int32Array | undefined;
  readonly segments: readonly Int32Array[];
}

export interface ModelInputs {
  /** The first texts of every load of unique ones, in order. */
  readonly short: readonly TextRuns[];
  /** Of texts of `LONG_CHARACTERS`. */
  readonly long: readonly TextRuns[];
  /** Single runs of as many tokens as the network reads at once. */
  readonly windows: readonly TextRuns[];
}

const SHORT_TEXTS = 2000;
const LONG_TEXTS = 40;
const WINDOWS = 20;

export function createModelInputs(pool: readonly string[], modelFolder: string, manifest: Manifest): ModelInputs {
  const runsOfText = createRunMaker(modelFolder, manifest);
  const texts = createTextSequence(pool);
  const first = TYPICAL_TURN * pool.length;
  const long = Array.from({ length: LONG_TEXTS }, (_, index) => runsOfText(texts.sized(index, LONG_CHARACTERS)));
  return {
    short: Array.from({ length: SHORT_TEXTS }, (_, index) => runsOfText(texts.unique(first + index))),
    long,
    windows: long.slice(0, WINDOWS).map((text) => windowOf(text, manifest.window.maxTokens)),
  };
}

function createRunMaker(modelFolder: string, { window }: Manifest): (text: string) => TextRuns {
  const definition = z.looseObject({}).parse(JSON.parse(readFileSync(join(modelFolder, TOKENIZER_FILE), 'utf8')));
  const tokenizer = createTextTokenizer(definition, window.maxTokens - FRAME_TOKENS);
  const { classifyId, separatorId, unknownId } = tokenizer;
  const framed = ({ ids }: Run): Int32Array =>
    Int32Array.of(classifyId, ...ids.filter((id) => id !== unknownId), separatorId);
  return (text) => {
    const segments = readText(text).segments.flatMap((segment) =>
      runsOf(tokenizer.tokenize(segment.text), segment, window.maxTokens),
    );
    const whole = wholeOf(segments, window.maxTokens);
    const isSharedOut = slicesOf(segments, window.maxTokens, framedTokens).length > 1;
    return {
      whole: whole && framed(whole),
      segments: (isSharedOut ? different(segments) : segments).map(framed),
    };
  };
}

/** Of a text that is shared out among workers, the service judges equal runs once. */
function different(runs: readonly Run[]): Run[] {
  return [...new Map(runs.map((run) => [run.ids.join(' '), run])).values()];
}

function windowOf({ segments: [first, ...others] }: TextRuns, maxTokens: number): TextRuns {
  const ids = [first, ...others].flatMap((segment) => Array.from(segment?.subarray(1, -1) ?? []));
  const frame = [first?.at(0) ?? 0, first?.at(-1) ?? 0] as const;
  return {
    whole: undefined,
    segments: [Int32Array.of(frame[0], ...ids.slice(0, maxTokens - FRAME_TOKENS), frame[1])],
  };
}
