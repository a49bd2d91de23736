/** What the service gives its model for a text, made beforehand: for the raw loop, which must do the same arithmetic and nothing else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { TOKENIZER_FILE, type Manifest } from '../../../src/inference/manifest.js';
import { createTextTokenizer } from '../../../src/inference/tokenizer.js';
import { planVersions } from '../../../src/inference/versions.js';
import { FRAME_TOKENS } from '../../../src/inference/windows.js';
import { deobfuscate, looksDifferent } from '../../../src/moderation/normalise.js';
import { LONG_CHARACTERS } from '../loads.js';
import { createTextSequence } from './text-sequence.js';

/** The ids of each window of a text, frame included: those of the text itself, and of its de-obfuscated copy those that differ. */
export type Windows = readonly Int32Array[];

export interface ModelInputs {
  /** Of unique texts, of the same mixture as those that the service is sent. */
  readonly short: readonly Windows[];
  /** Of texts of `LONG_CHARACTERS`. */
  readonly long: readonly Windows[];
  /** Means of the short ones. */
  readonly windowsPerText: number;
  readonly tokensPerText: number;
}

const SHORT_TEXTS = 2000;
const LONG_TEXTS = 40;

export function createModelInputs(pool: readonly string[], modelFolder: string, manifest: Manifest): ModelInputs {
  const windowsOf = createWindowMaker(modelFolder, manifest);
  const texts = createTextSequence(pool);
  const short = Array.from({ length: SHORT_TEXTS }, (_, index) => windowsOf(texts.unique(index)));
  const long = Array.from({ length: LONG_TEXTS }, (_, index) => windowsOf(texts.sized(index, LONG_CHARACTERS)));
  const windows = short.flat();
  return {
    short,
    long,
    windowsPerText: windows.length / short.length,
    tokensPerText: windows.reduce((sum, ids) => sum + ids.length, 0) / short.length,
  };
}

function createWindowMaker(modelFolder: string, { window }: Manifest): (text: string) => Windows {
  const definition = z.looseObject({}).parse(JSON.parse(readFileSync(join(modelFolder, TOKENIZER_FILE), 'utf8')));
  const tokenizer = createTextTokenizer(definition, window.maxTokens - window.overlapTokens - FRAME_TOKENS);
  const { classifyId, separatorId, unknownId } = tokenizer;
  return (text) => {
    const copy = deobfuscate(text);
    const views = looksDifferent(text, copy) ? [text, copy] : [text];
    const planned = planVersions(
      views.map((view) => tokenizer.tokenize(view)),
      window,
    ).flat();
    const different = new Map(planned.map(({ ids }) => [ids.join(' '), ids]));
    return Array.from(different.values(), (ids) =>
      Int32Array.of(classifyId, ...ids.filter((id) => id !== unknownId), separatorId),
    );
  };
}
