/** Serves the tiny networks of random weights in test/support/models/tiny-model, or other files under a manifest of the test. */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Classifier } from '../../../src/inference/classifier.js';
import type { Manifest } from '../../../src/inference/manifest.js';
import { loadClassifier } from '../built.js';
import { languagesManifest } from './manifest.js';

const TINY = fileURLToPath(new URL('tiny-model', import.meta.url));
const SCRIPTS = ['Latin', 'Cyrillic', 'Han', 'Hiragana', 'Katakana', 'Greek'];
const MAX_TOKENS = 64;

export interface TinyOptions {
  readonly manifest?: Partial<Manifest>;
  /** The folder of the files. */
  readonly folder?: string;
  /** `worst-segment.onnx` says what the worst of several segments is. */
  readonly network?: 'model.onnx' | 'worst-segment.onnx';
}

/** Writes the files and their manifest, as a folder for MODEL_DIR. */
export function writeTinyModel(folder: string, options: TinyOptions = {}): void {
  const { manifest = {}, folder: from = TINY, network = 'model.onnx' } = options;
  const files = Object.entries({ 'model.onnx': network, 'tokenizer.json': 'tokenizer.json' }).map(([file, source]) => {
    copyFileSync(join(from, source), join(folder, file));
    const bytes = readFileSync(join(folder, file));
    return [file, { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length }] as const;
  });
  writeFileSync(
    join(folder, 'manifest.json'),
    JSON.stringify({
      ...languagesManifest({ scripts: SCRIPTS, window: { maxTokens: MAX_TOKENS, maxTexts: 1 } }),
      files: Object.fromEntries(files) satisfies Manifest['files'],
      ...manifest,
    }),
  );
}

/** With one worker. Goes away with the test. */
export async function loadTiny(options: TinyOptions = {}): Promise<Classifier> {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-tiny-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeTinyModel(folder, options);
  const classifier = await loadClassifier({ folder, threads: 1, maxQueue: 100 });
  onTestFinished(() => classifier.close());
  return classifier;
}
