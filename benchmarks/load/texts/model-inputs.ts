/** What the service gives its model for a text, made beforehand: for the raw loop, which must do the same arithmetic and nothing else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { TOKENIZER_FILE, type Manifest } from '../../../src/inference/manifest.js';
import { createTextTokenizer } from '../../../src/inference/tokenizer.js';
import { FRAME_TOKENS, runsOf, wholeOf } from '../../../src/inference/runs.js';
import { readText } from '../../../src/text/read-text.js';
import { LONG_CHARACTERS } from '../loads.js';
import { createTextSequence } from './text-sequence.js';

/** The ids of each run of the network on a text, frame included; equal ones once. */
export type Runs = readonly Int32Array[];

export interface ModelInputs {
  /** Of unique texts, of the same mixture as those that the service is sent. */
  readonly short: readonly Runs[];
  /** Of texts of `LONG_CHARACTERS`. */
  readonly long: readonly Runs[];
  /** Means of the short ones. */
  readonly runsPerText: number;
  readonly tokensPerText: number;
}

const SHORT_TEXTS = 2000;
const LONG_TEXTS = 40;

export function createModelInputs(pool: readonly string[], modelFolder: string, manifest: Manifest): ModelInputs {
  const runsOfText = createRunMaker(modelFolder, manifest);
  const texts = createTextSequence(pool);
  const short = Array.from({ length: SHORT_TEXTS }, (_, index) => runsOfText(texts.unique(index)));
  const long = Array.from({ length: LONG_TEXTS }, (_, index) => runsOfText(texts.sized(index, LONG_CHARACTERS)));
  const runs = short.flat();
  return {
    short,
    long,
    runsPerText: runs.length / short.length,
    tokensPerText: runs.reduce((sum, ids) => sum + ids.length, 0) / short.length,
  };
}

function createRunMaker(modelFolder: string, { window }: Manifest): (text: string) => Runs {
  const definition = z.looseObject({}).parse(JSON.parse(readFileSync(join(modelFolder, TOKENIZER_FILE), 'utf8')));
  const tokenizer = createTextTokenizer(definition, window.maxTokens - FRAME_TOKENS);
  const { classifyId, separatorId, unknownId } = tokenizer;
  return (text) => {
    const ofSegments = readText(text).segments.flatMap((segment) =>
      runsOf(tokenizer.tokenize(segment.text), segment, window.maxTokens),
    );
    const whole = wholeOf(ofSegments, window.maxTokens);
    const planned = whole === undefined ? ofSegments : [whole, ...ofSegments];
    const different = new Map(planned.map(({ ids }) => [ids.join(' '), ids]));
    return Array.from(different.values(), (ids) =>
      Int32Array.of(classifyId, ...ids.filter((id) => id !== unknownId), separatorId),
    );
  };
}
