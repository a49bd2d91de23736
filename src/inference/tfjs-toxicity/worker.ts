/** A worker thread of the TensorFlow.js runtime: cuts texts into windows and has the model judge them, one after another. */
import { workerData } from 'piscina';
import type { WindowProbabilities } from '../classifier.js';
import { chooseBackend, type ChosenBackend } from './backend.js';
import { labelProbabilities, sentimentProbabilities } from './google-labels.js';
import { LocalToxicityClassifier } from './local-classifier.js';
import type { Task, TaskFailure, TaskResult, WorkerSettings } from './task.js';
import { createTextCutter, portionsOf, type TextWindow } from './text-windows.js';
// Registers itself with tfjs-core; it is started only where the native backend is not.
import '@tensorflow/tfjs-backend-wasm';

// Piscina hands over what the pool was given; the pool is ours, so this is a type and not a check.
const settings = workerData as WorkerSettings;

const isAbandoned = (): boolean => Atomics.load(settings.abandoned, 0) !== 0;

interface Model {
  readonly classifier: LocalToxicityClassifier;
  readonly cut: (text: string) => TextWindow[];
  readonly chosen: ChosenBackend;
}

let loading: Promise<Model> | undefined;

async function load(): Promise<Model> {
  const chosen = await chooseBackend();
  const classifier = new LocalToxicityClassifier(settings.folder);
  await classifier.load();
  // The shortest text that there is: a model with operations that the backend lacks is refused here.
  labelProbabilities(await classifier.classify(['']));
  return { classifier, cut: createTextCutter((text) => classifier.encode(text), settings.window), chosen };
}

/** One window a run: nobody's text is judged by its company, and another call never waits for more than one window. */
async function judge({ classifier }: Model, { start, end, tokens, text }: TextWindow): Promise<WindowProbabilities> {
  const labels = labelProbabilities(await classifier.classify([text]));
  return { start, end, tokens, labels, sentiments: sentimentProbabilities(labels) };
}

/** Judges the first windows, up to about one full window of tokens. */
async function judgeTask(model: Model, task: Task): Promise<TaskResult | TaskFailure> {
  const begun = performance.now();
  const planned = 'texts' in task ? task.texts.map(model.cut) : [];
  const windows = 'texts' in task ? planned.flat() : task.windows;
  const [portion = [], ...rest] = portionsOf(windows, settings.window.maxTokens);
  const cut = performance.now();
  const judged: WindowProbabilities[] = [];
  for (const window of portion) {
    if (isAbandoned()) return { failure: 'abandoned' };
    judged.push(await judge(model, window));
  }
  return {
    judged,
    windowCounts: planned.map(({ length }) => length),
    rest,
    tokenizeMs: cut - begun,
    inferMs: performance.now() - cut,
    backend: model.chosen.backend,
    backendProblem: model.chosen.problem,
  };
}

/** What is left of the task goes back: others may be waiting, and other workers may be free. */
export default async function run(task: Task): Promise<TaskResult | TaskFailure> {
  let model: Model;
  try {
    model = await (loading ??= load());
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
  if (isAbandoned()) return { failure: 'abandoned' };
  try {
    return await judgeTask(model, task);
  } catch (error) {
    // A run that fails halfway can leave the memory of the WebAssembly backend in disorder (seen with tfjs 4.22: "memory access out
    // of bounds" in later runs). Nothing may be judged in it again: the thread ends, and another takes its place.
    return new Promise(() => {
      queueMicrotask(() => {
        throw error;
      });
    });
  }
}
