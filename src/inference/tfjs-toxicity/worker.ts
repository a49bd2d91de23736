/** A worker thread of the TensorFlow.js runtime: has the model judge segments, one after another. */
import { workerData } from 'node:worker_threads';
import type { Prediction } from '../classifier.js';
import type { WorkerSettings } from '../workers/messages.js';
import { answerTasks, createWorkerLoop, endThread, type Model } from '../workers/worker-loop.js';
import { chooseBackend } from './backend.js';
import { labelProbabilities, sentimentProbabilities } from './google-model.js';
import { LocalToxicityClassifier } from './local-classifier.js';
import { createTextCutter, tokensOf, type TextSequence } from './text-sequences.js';
// Registers itself with tfjs-core; it is started only where the native backend is not.
import '@tensorflow/tfjs-backend-wasm';

/** What the workers of this runtime are started with. */
export interface ToxicitySettings {
  /** With the model's files; absolute. */
  readonly folder: string;
}

// What the pool was given; the pool is ours, so this is a type and not a check.
const settings = workerData as ToxicitySettings & WorkerSettings;

answerTasks(createWorkerLoop<TextSequence>({ settings, load, tokensOf }));

async function load(): Promise<Model<TextSequence>> {
  const backend = await chooseBackend();
  const classifier = new LocalToxicityClassifier(settings.folder);
  await classifier.load();
  // The shortest text that there is: a model with operations that the backend lacks is refused here.
  labelProbabilities(await classifier.classify(['']));
  return {
    sequencesOf: createTextCutter((text) => classifier.encode(text), settings.maxTokens),
    // A run that fails halfway can leave the memory of the WebAssembly backend in disorder (seen with tfjs 4.22: "memory access out of bounds"
    // in later runs).
    judge: (batch) => Promise.all(batch.map((sequence) => judge(classifier, sequence))).catch(endThread),
    backend,
  };
}

/** One sequence at a time: nobody's text is judged by its company, and another call never waits for more than one run. */
async function judge(classifier: LocalToxicityClassifier, { text, ...place }: TextSequence): Promise<Prediction> {
  const labels = labelProbabilities(await classifier.classify([text]));
  return { ...place, unreadTokens: 0, labels, sentiments: sentimentProbabilities(labels) };
}
