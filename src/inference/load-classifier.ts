/** Opens a model folder: checks it and starts the runtime that its manifest names. The one place that knows all runtimes. */
import type { Classifier } from './classifier.js';
import { readManifest, verifyFiles } from './manifest.js';
import { createOnnxClassifier } from './onnx/onnx-classifier.js';
import { createToxicityClassifier } from './tfjs-toxicity/toxicity-classifier.js';
import type { RuntimeOptions } from './workers/pooled-classifier.js';

/** @throws OperatorError when the folder is missing, incomplete or altered, or its runtime is not installed */
export async function loadClassifier(options: Omit<RuntimeOptions, 'manifest'>): Promise<Classifier> {
  const manifest = await readManifest(options.folder);
  try {
    return await create({ ...options, manifest });
  } catch (error) {
    // Each worker compares the files with the manifest before it loads them. Why one did not is told best by doing so again.
    verifyFiles(options.folder, manifest);
    throw error;
  }
}

function create(options: RuntimeOptions): Promise<Classifier> {
  switch (options.manifest.runtime) {
    case 'onnx':
      return createOnnxClassifier(options);
    case 'tfjs-toxicity':
      return createToxicityClassifier(options);
  }
}
