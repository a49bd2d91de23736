/** A worker thread of the TensorFlow.js runtime: has the model judge segments, one after another. */
import { workerData } from 'node:worker_threads';
import type { Reading } from '../classifier.js';
import type { WorkerSettings } from '../workers/messages.js';
import { answerPortions } from '../workers/portion-port.js';
import { createWorkerLoop, type Model } from '../workers/worker-loop.js';
import { chooseBackend } from './backend.js';
import { labelProbabilities, sentimentProbabilities } from './google-labels.js';
import { LocalToxicityClassifier } from './local-classifier.js';
import type { ToxicitySettings } from './settings.js';
import { createTextCutter, tokensOf, type TextRun } from './text-runs.js';
// Registers itself with tfjs-core; it is started only where the native backend is not.
import '@tensorflow/tfjs-backend-wasm';

// What the pool was given; the pool is ours, so this is a type and not a check.
const settings = workerData as ToxicitySettings & WorkerSettings;

answerPortions(createWorkerLoop<TextRun>({ settings, load, tokensOf }));

async function load(): Promise<Model<TextRun>> {
  const backend = await chooseBackend();
  const classifier = new LocalToxicityClassifier(settings.folder);
  await classifier.load();
  // The shortest text that there is: a model with operations that the backend lacks is refused here.
  labelProbabilities(await classifier.classify(['']));
  return {
    runsOf: createTextCutter((text) => classifier.encode(text), settings.maxTokens),
    judge: (batch) => Promise.all(batch.map((run) => judge(classifier, run))).catch(endThread),
    backend,
  };
}

/** One segment a run: nobody's text is judged by its company, and another call never waits for more than one run. */
async function judge(classifier: LocalToxicityClassifier, { start, end, tokens, text }: TextRun): Promise<Reading> {
  const labels = labelProbabilities(await classifier.classify([text]));
  return { start, end, tokens, unreadTokens: 0, labels, sentiments: sentimentProbabilities(labels) };
}

/**
 * A run that fails halfway can leave the memory of the WebAssembly backend in disorder (seen with tfjs 4.22: "memory access out of
 * bounds" in later runs). Nothing may be judged in it again: the thread ends, and another takes its place.
 */
function endThread(error: unknown): Promise<never> {
  return new Promise(() => {
    queueMicrotask(() => {
      throw error;
    });
  });
}
