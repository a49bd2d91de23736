/**
 * A worker thread of the ONNX runtime: tokenises segments and runs the network over each. Holds one session with one intra-op
 * thread, so that workers scale with cores and the HTTP thread never waits for arithmetic.
 */
import { readFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { createTextTokenizer, type TextTokenizer } from '../tokenizer.js';
import { FRAME_TOKENS, framedTokens, runsOf, wholeOf, type Run } from '../runs.js';
import { ModelOutputError } from '../workers/failure.js';
import type { RunReading, WorkerSettings } from '../workers/messages.js';
import { answerPortions } from '../workers/portion-port.js';
import { createWorkerLoop, type Model } from '../workers/worker-loop.js';
import { HIGHEST_OUTPUT, openSession, Tensor, type InferenceSession } from './session.js';
import type { OnnxSettings } from './settings.js';

// What the pool was given; the pool is ours, so this is a type and not a check.
const settings = workerData as OnnxSettings & WorkerSettings;

answerPortions(createWorkerLoop<Run>({ settings, load, tokensOf: framedTokens }));

async function load(): Promise<Model<Run>> {
  const definition: unknown = JSON.parse(readFileSync(settings.tokenizerPath, 'utf8'));
  const { maxTokens } = settings;
  const session = await openSession(settings.modelPath);
  const tokenizer = createTextTokenizer(definition, maxTokens - FRAME_TOKENS);
  return {
    runsOf: (segment) => runsOf(tokenizer.tokenize(segment.text), segment, maxTokens),
    wholeOf: (runs) => wholeOf(runs, maxTokens),
    judge: (run) => infer(session, tokenizer, run),
  };
}

/**
 * One segment a run. The int8 model scales the activations of a whole run at once, so that segments of one batch change each other's
 * probabilities (by 0.05 and more): a text would be judged by its company. Nor do batches pay: one thread takes as long for
 * 128 tokens alone as in a batch of 32.
 */
async function infer(
  session: InferenceSession,
  { classifyId, separatorId, unknownId }: TextTokenizer,
  { start, end, ids }: Run,
): Promise<RunReading> {
  // Unknown tokens are left out: words in other scripts, of which the model could only know in what company they occur.
  const known = ids.filter((id) => id !== unknownId);
  const inputIds = Int32Array.of(classifyId, ...known, separatorId);
  const dims = [1, inputIds.length];
  const outputs = await session.run({
    input_ids: new Tensor('int32', inputIds, dims),
    attention_mask: new Tensor('int32', new Int32Array(inputIds.length).fill(1), dims),
  });
  return {
    start,
    end,
    tokens: ids.length,
    unreadTokens: ids.length - known.length,
    labels: probabilitiesOf(outputs.labels, settings.labelCount),
    sentiments: probabilitiesOf(outputs.sentiments, settings.sentimentCount),
    ...(settings.languageCount > 0 && { languages: probabilitiesOf(outputs.languages, settings.languageCount) }),
    ...(HIGHEST_OUTPUT in outputs && { highest: probabilitiesOf(outputs[HIGHEST_OUTPUT], settings.labelCount) }),
    exited: outputs.exited?.data[0] === 1,
  };
}

/** Reads an output of shape [1, count], and refuses any other: a wrong model must not become a verdict. */
function probabilitiesOf(tensor: Tensor | undefined, count: number): number[] {
  const data = tensor?.data;
  if (!(data instanceof Float32Array) || data.length !== count) {
    throw new ModelOutputError('the model file has other outputs than its manifest says');
  }
  if (!data.every((value) => value >= 0 && value <= 1)) throw new ModelOutputError('the model gave no probability');
  return Array.from(data);
}
