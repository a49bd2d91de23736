/**
 * A worker thread: tokenises texts and runs the ONNX model over their windows. Holds one session with one intra-op thread, so
 * that workers scale with cores and the HTTP thread never waits for arithmetic.
 */
import { readFileSync } from 'node:fs';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { workerData } from 'piscina';
import type { WindowProbabilities } from '../classifier.js';
import { createTextTokenizer, type TextTokenizer } from '../tokenizer.js';
import { FRAME_TOKENS, planWindows, type Window } from '../windows.js';
import type { Task, TaskFailure, TaskResult, WorkerSettings } from './task.js';

// Piscina hands over what the pool was given; the pool is ours, so this is a type and not a check.
const settings = workerData as WorkerSettings;

/** Bounds the memory of one run: 32 windows of 128 tokens take about 60 MB. A 10,000-character English text has some 25. */
const MAX_BATCH_WINDOWS = 32;

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

interface Job {
  readonly text: number;
  readonly window: Window;
}

/** Windows of like length share a batch, so that little is padded. */
function batchesOf(jobs: readonly Job[]): Job[][] {
  const sorted = [...jobs].sort((a, b) => a.window.ids.length - b.window.ids.length);
  const batches: Job[][] = [];
  for (let start = 0; start < sorted.length; start += MAX_BATCH_WINDOWS) {
    batches.push(sorted.slice(start, start + MAX_BATCH_WINDOWS));
  }
  return batches;
}

async function infer(model: Model, batch: readonly Job[]): Promise<WindowProbabilities[]> {
  const length = Math.max(...batch.map((job) => job.window.ids.length)) + FRAME_TOKENS;
  const inputIds = new Int32Array(batch.length * length);
  const attentionMask = new Int32Array(batch.length * length);
  batch.forEach(({ window }, row) => {
    const offset = row * length;
    inputIds[offset] = model.tokenizer.classifyId;
    inputIds.set(window.ids, offset + 1);
    inputIds[offset + 1 + window.ids.length] = model.tokenizer.separatorId;
    attentionMask.fill(1, offset, offset + window.ids.length + FRAME_TOKENS);
  });
  const dims = [batch.length, length];
  const outputs = await model.session.run({
    input_ids: new Tensor('int32', inputIds, dims),
    attention_mask: new Tensor('int32', attentionMask, dims),
  });
  const labels = rowsOf(outputs['labels'], settings.labelCount, batch.length);
  const sentiments = rowsOf(outputs['sentiments'], settings.sentimentCount, batch.length);
  return batch.map(({ window }, row) => ({
    start: window.start,
    end: window.end,
    tokens: window.ids.length,
    labels: labels(row),
    sentiments: sentiments(row),
  }));
}

/** Reads an output of shape [rows, columns] row by row, and refuses any other: a wrong model must not become a verdict. */
function rowsOf(tensor: Tensor | undefined, columns: number, rows: number): (row: number) => number[] {
  const data = tensor?.data;
  if (!(data instanceof Float32Array) || data.length !== rows * columns) {
    throw new Error('the model file has other outputs than its manifest says');
  }
  if (!data.every((value) => value >= 0 && value <= 1)) throw new Error('the model gave no probability');
  return (row) => Array.from(data.subarray(row * columns, (row + 1) * columns));
}

export default async function run(task: Task): Promise<TaskResult | TaskFailure> {
  try {
    const model = await (loading ??= load());
    const begun = performance.now();
    const jobs = task.texts.flatMap((text, index) =>
      planWindows(model.tokenizer.tokenize(text), settings.window).map((window) => ({ text: index, window })),
    );
    const tokenized = performance.now();
    const texts: WindowProbabilities[][] = task.texts.map(() => []);
    for (const batch of batchesOf(jobs)) {
      const judged = await infer(model, batch);
      judged.forEach((probabilities, row) => {
        const job = batch[row];
        if (job !== undefined) texts[job.text]?.push(probabilities);
      });
    }
    for (const windows of texts) windows.sort((a, b) => a.start - b.start);
    return { texts, tokenizeMs: tokenized - begun, inferMs: performance.now() - tokenized };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
