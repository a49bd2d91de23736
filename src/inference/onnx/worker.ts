/**
 * A worker thread: tokenises texts and runs the ONNX model over their windows. Holds one session with one intra-op thread, so
 * that workers scale with cores and the HTTP thread never waits for arithmetic.
 */
import { readFileSync } from 'node:fs';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { workerData } from 'piscina';
import type { WindowProbabilities } from '../classifier.js';
import { createTextTokenizer, type TextTokenizer } from '../tokenizer.js';
import { FRAME_TOKENS, planWindows, slicesOf, type Window } from '../windows.js';
import type { Portion, PortionOutcome, Work, WorkerSettings, WorkFailure, WorkResult } from './task.js';

// Piscina hands over what the pool was given; the pool is ours, so this is a type and not a check.
const settings = workerData as WorkerSettings;

const isAbandoned = (): boolean => Atomics.load(settings.abandoned, 0) !== 0;

interface Model {
  readonly tokenizer: TextTokenizer;
  readonly session: InferenceSession;
}

let loading: Promise<Model> | undefined;

async function load(): Promise<Model> {
  const definition: unknown = JSON.parse(readFileSync(settings.tokenizerPath, 'utf8'));
  if (typeof definition !== 'object' || definition === null) throw new Error('tokenizer.json is not an object');
  const { maxTokens, overlapTokens } = settings.window;
  const session = await InferenceSession.create(settings.modelPath, {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
  });
  return { tokenizer: createTextTokenizer(definition, maxTokens - overlapTokens - FRAME_TOKENS), session };
}

/**
 * One window a run. The int8 model scales the activations of a whole run at once, so that windows of one batch change each other's
 * probabilities (by 0.05 and more): a text would be judged by its company. Nor do batches pay: one thread takes as long for
 * a window of 128 tokens alone as in a batch of 32.
 */
async function infer(model: Model, window: Window): Promise<WindowProbabilities> {
  const { classifyId, separatorId, unknownId } = model.tokenizer;
  // Unknown tokens are left out: words in other scripts, of which the model could only know in what company they occur.
  const known = window.ids.filter((id) => id !== unknownId);
  const inputIds = Int32Array.of(classifyId, ...known, separatorId);
  const dims = [1, inputIds.length];
  const outputs = await model.session.run({
    input_ids: new Tensor('int32', inputIds, dims),
    attention_mask: new Tensor('int32', new Int32Array(inputIds.length).fill(1), dims),
  });
  return {
    start: window.start,
    end: window.end,
    tokens: window.ids.length,
    labels: probabilitiesOf(outputs.labels, settings.labelCount),
    sentiments: probabilitiesOf(outputs.sentiments, settings.sentimentCount),
  };
}

/** Reads an output of shape [1, count], and refuses any other: a wrong model must not become a verdict. */
function probabilitiesOf(tensor: Tensor | undefined, count: number): number[] {
  const data = tensor?.data;
  if (!(data instanceof Float32Array) || data.length !== count) {
    throw new Error('the model file has other outputs than its manifest says');
  }
  if (!data.every((value) => value >= 0 && value <= 1)) throw new Error('the model gave no probability');
  return Array.from(data);
}

/**
 * Judges the first windows of a piece of work, up to about one full window of tokens. What is left goes back: others may be waiting,
 * and other workers may be free.
 */
async function judge(model: Model, work: Work): Promise<WorkResult | WorkFailure> {
  const begun = performance.now();
  const planned =
    'texts' in work ? work.texts.map((text) => planWindows(model.tokenizer.tokenize(text), settings.window)) : [];
  const [slice = [], ...rest] = slicesOf('texts' in work ? planned.flat() : work.windows, settings.window.maxTokens);
  const tokenized = performance.now();
  const judged: WindowProbabilities[] = [];
  for (const window of slice) {
    if (isAbandoned()) return { failure: 'abandoned' };
    judged.push(await infer(model, window));
  }
  return {
    judged,
    windowCounts: planned.map((windows) => windows.length),
    rest: rest.flat(),
    tokenizeMs: tokenized - begun,
    inferMs: performance.now() - tokenized,
  };
}

export default async function run(portion: Portion): Promise<PortionOutcome> {
  const outcomes: (WorkResult | WorkFailure)[] = [];
  try {
    const model = await (loading ??= load());
    for (const work of portion) outcomes.push(await judge(model, work).catch(asFailure));
  } catch (error) {
    // The model did not load.
    return portion.map(() => asFailure(error));
  }
  return outcomes;
}

function asFailure(error: unknown): WorkFailure {
  return { failure: error instanceof Error ? error.message : String(error) };
}
