/**
 * The network of a model folder with nothing around it: what it reads of a text, and a pass of it. For those who run it themselves, and for
 * measuring what the engine adds.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { readText } from '../../text/read-text.js';
import { MODEL_FILE, readManifest, TOKENIZER_FILE } from '../manifest.js';
import { FRAME_TOKENS, sequencesOf, wholeOf, type Sequence } from '../sequences.js';
import { createTextTokenizer } from '../tokenizer.js';
import { assertTelemetryIsOff, turnOffTelemetry } from './no-telemetry.js';

/** Token ids of the sequences that the network may read of a text: [CLS], those of known words, [SEP]. */
export interface EncodedText {
  /** What the segments say together, where there are several and one sequence has room for them. */
  readonly whole: Int32Array | undefined;
  /** In text order, at least one. */
  readonly segments: readonly Int32Array[];
}

/** @throws OperatorError where the folder is no model; Error where its runtime has no such tokenizer */
export async function createEncoder(modelDir: string): Promise<(text: string) => EncodedText> {
  const { maxTokens } = (await readManifest(modelDir)).window;
  const definition: unknown = JSON.parse(await readFile(join(modelDir, TOKENIZER_FILE), 'utf8'));
  const tokenizer = createTextTokenizer(definition, maxTokens - FRAME_TOKENS);
  const { classifyId, separatorId, unknownId } = tokenizer;
  const framed = ({ ids }: Sequence): Int32Array =>
    Int32Array.of(classifyId, ...ids.filter((id) => id !== unknownId), separatorId);
  return (text) => {
    const read = readText(text);
    const segments = read.segments.flatMap(({ text, start, end }, segment) =>
      sequencesOf(tokenizer.tokenize(text), { segment, start, end }, maxTokens),
    );
    const whole = read.inSeveralScripts ? undefined : wholeOf(segments, maxTokens);
    return { whole: whole && framed(whole), segments: segments.map(framed) };
  };
}

export interface Network {
  /** Whether it says of several segments at once what the worst of them is. */
  readonly tellsHighest: boolean;
  /** @returns whether it left early, certain that what it read is harmless */
  readonly run: (ids: Int32Array) => Promise<boolean>;
}

/** One thread, as in a worker of the service. ONNX Runtime's reports to its makers are turned off: to be called from the main thread. */
export async function openNetwork(modelDir: string): Promise<Network> {
  if (isMainThread) turnOffTelemetry();
  else assertTelemetryIsOff();
  const { openSession } = await import('./session.js');
  const { session, int32 } = await openSession(join(modelDir, MODEL_FILE));
  return {
    tellsHighest: session.outputNames.includes('highest'),
    async run(ids) {
      const { exited } = await session.run({
        input_ids: int32(ids, [1, ids.length]),
        attention_mask: int32(new Int32Array(ids.length).fill(1), [1, ids.length]),
      });
      return exited?.data[0] === 1;
    },
  };
}
