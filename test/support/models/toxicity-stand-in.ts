/** Stand-ins for Google's toxicity model that a test may alter, and whether the optional packages that run them are installed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMALL, writeStandInModel } from './toxicity-model/stand-in-model.js';

export const require = createRequire(import.meta.url);

export const TENSORFLOW_INSTALLED = isInstalled('@tensorflow-models/toxicity');
if (!TENSORFLOW_INSTALLED) {
  console.warn('Skipped: tests of the TensorFlow.js runtime, because its optional packages are not installed.');
}

/** One instance for tests and built code, as Node gives it to both. */
export function tensorflow(): typeof import('@tensorflow/tfjs-core') {
  return require('@tensorflow/tfjs-core') as typeof import('@tensorflow/tfjs-core');
}

/** A model folder that goes away with whatever `afterwards` waits for. */
export function standInModel(afterwards: (clean: () => void) => void, options = SMALL): string {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-stand-in-'));
  afterwards(() => rmSync(folder, { recursive: true, force: true }));
  writeStandInModel(folder, options);
  return folder;
}

function isInstalled(name: string): boolean {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false;
  }
}
