/**
 * A worker thread of the ONNX runtime: tokenises segments and judges the sequences. Holds one session with one intra-op
 * thread, so that workers scale with cores and the HTTP thread never waits for arithmetic.
 */
import { readFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { createTextTokenizer, type TextTokenizer } from '../tokenizer.js';
import { FRAME_TOKENS, framedTokens, sequencesOf, wholeOf, type Sequence } from '../sequences.js';
import { ModelOutputError } from '../workers/failure.js';
import type { SequencePrediction, WorkerSettings } from '../workers/messages.js';
import { answerTasks, createWorkerLoop, endThread, type Model } from '../workers/worker-loop.js';
import { openSession, type OpenModel, type Tensor } from './session.js';

/** What the workers of this runtime are started with. */
export interface OnnxSettings {
  readonly modelPath: string;
  readonly tokenizerPath: string;
  readonly labelCount: number;
  readonly sentimentCount: number;
  /** What the network tells apart: 0 where it knows one language, else one more than it knows. */
  readonly languageCount: number;
}

// What the pool was given; the pool is ours, so this is a type and not a check.
const settings = workerData as OnnxSettings & WorkerSettings;

answerTasks(createWorkerLoop<Sequence>({ settings, load, tokensOf: framedTokens }));

async function load(): Promise<Model<Sequence>> {
  const definition: unknown = JSON.parse(readFileSync(settings.tokenizerPath, 'utf8'));
  const { maxTokens } = settings;
  const model = await openSession(settings.modelPath);
  const tokenizer = createTextTokenizer(definition, maxTokens - FRAME_TOKENS);
  return {
    sequencesOf: ({ text, start, end }, segment) =>
      sequencesOf(tokenizer.tokenize(text), { segment, start, end }, maxTokens),
    wholeOf: (sequences) => wholeOf(sequences, maxTokens),
    judge: (batch) => infer(model, tokenizer, batch).catch(endIfTrapped),
    ...(model.backend && { backend: model.backend }),
  };
}

/** After a trap of WebAssembly its memory is in no known state. */
function endIfTrapped(error: unknown): Promise<never> {
  if (error instanceof Error && error.name === 'RuntimeError') return endThread(error);
  throw error;
}

/**
 * One pass of the network. A model that reads several texts side by side keeps their tokens apart and has fixed scales for its activations, so that
 * none is judged by its company; of any other a batch is one text.
 */
async function infer(
  { session, int32 }: OpenModel,
  { classifyId, separatorId, unknownId }: TextTokenizer,
  batch: readonly Sequence[],
): Promise<SequencePrediction[]> {
  // Unknown tokens are left out: words in other scripts, of which the model could only know in what company they occur.
  const texts = batch.map(({ ids }) => [classifyId, ...ids.filter((id) => id !== unknownId), separatorId]);
  const dims = [texts.length, Math.max(...texts.map((ids) => ids.length))];
  const { labels, sentiments, languages, highest, exited } = await session.run(inputsOf(texts, dims, int32));
  const { labelCount, sentimentCount, languageCount } = settings;
  return batch.map(({ segment, start, end, ids }, text) => ({
    segment,
    start,
    end,
    tokens: ids.length,
    unreadTokens: ids.length + FRAME_TOKENS - (texts[text]?.length ?? 0),
    labels: probabilitiesOf(labels, text, texts.length, labelCount),
    sentiments: probabilitiesOf(sentiments, text, texts.length, sentimentCount),
    ...(languageCount > 0 && { languages: probabilitiesOf(languages, text, texts.length, languageCount) }),
    ...(highest && { highest: probabilitiesOf(highest, text, texts.length, labelCount) }),
    exited: exited?.data[text] === 1,
  }));
}

/** Ids of shape [texts, tokens], and which of them are no padding. */
function inputsOf(
  texts: readonly (readonly number[])[],
  [count = 0, width = 0]: readonly number[],
  int32: OpenModel['int32'],
): Record<string, Tensor> {
  const ids = new Int32Array(count * width);
  const mask = new Int32Array(count * width);
  texts.forEach((text, row) => {
    ids.set(text, row * width);
    mask.fill(1, row * width, row * width + text.length);
  });
  const dims = [count, width];
  return { input_ids: int32(ids, dims), attention_mask: int32(mask, dims) };
}

/** A row of an output of shape [texts, count]. Refuses any other: a wrong model must not become a verdict. */
function probabilitiesOf(tensor: Tensor | undefined, row: number, texts: number, count: number): number[] {
  const data = tensor?.data;
  if (!(data instanceof Float32Array) || data.length !== texts * count) {
    throw new ModelOutputError('the model file has other outputs than its manifest says');
  }
  const values = Array.from(data.subarray(row * count, (row + 1) * count));
  if (!values.every((value) => value >= 0 && value <= 1)) throw new ModelOutputError('the model gave no probability');
  return values;
}
