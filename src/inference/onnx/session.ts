/**
 * Opens a model in ONNX Runtime as every thread does that judges texts: in the native library or, where its binary does not load, in the build in
 * WebAssembly that this package carries. The only module that loads either.
 */
import type { InferenceSession, Tensor } from 'onnxruntime-common';
import { messageOf } from '../../errors.js';
import type { Backend } from '../workers/messages.js';
import { modelInOne } from './model-in-one.js';
import { assertTelemetryIsOff } from './no-telemetry.js';

export type { InferenceSession, Tensor };

export interface OpenModel {
  readonly session: InferenceSession;
  readonly int32: (data: Int32Array, dims: readonly number[]) => Tensor;
  /** Undefined for the native library. */
  readonly backend: Backend | undefined;
}

/** @throws where ONNX Runtime does not load in either form; rejects where the model cannot be opened */
export function openSession(modelPath: string): Promise<OpenModel> {
  assertTelemetryIsOff();
  return open(modelPath);
}

const OPTIONS: InferenceSession.SessionOptions = {
  executionProviders: ['cpu'],
  // One, so that workers scale with cores.
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  // Weights do not go through the arena, which grows in powers of two and would keep what it grew too much:
  // https://github.com/microsoft/onnxruntime/pull/7267
  extra: { session: { use_device_allocator_for_initializers: '1' } },
};

async function open(modelPath: string): Promise<OpenModel> {
  const { library, backend } = await loadLibrary();
  const { InferenceSession, Tensor } = library;
  const session =
    backend === undefined
      ? await InferenceSession.create(modelPath, OPTIONS)
      : await InferenceSession.create(modelInOne(modelPath), OPTIONS);
  return { session, int32: (data, dims) => new Tensor('int32', data, dims), backend };
}

interface Loaded {
  readonly library: Pick<typeof import('onnxruntime-common'), 'InferenceSession' | 'Tensor'>;
  readonly backend: Backend | undefined;
}

/** Which of the two, and why; on its own for those who only ask that. */
export async function loadLibrary(): Promise<Loaded> {
  try {
    return { library: await import('onnxruntime-node'), backend: undefined };
  } catch (error) {
    const [reason] = messageOf(error).split('\n');
    const problem = `onnxruntime-node does not load here (${reason ?? ''})`;
    const library = await loadWasm().catch((cause: unknown) => {
      throw new Error(`${problem}, nor does its build in WebAssembly: ${messageOf(cause)}`, { cause });
    });
    return { library, backend: { name: 'wasm', problem: `${problem}. ${COST}` } };
  }
}

/** By docs/decisions/0080-wasm.md. */
const COST = 'A text takes about four times as long, and each thread 400 MB more';

/** `npm run build` puts it there. One thread, as above. */
async function loadWasm(): Promise<Loaded['library']> {
  const address = new URL('./wasm/ort.node.min.mjs', import.meta.url).href;
  const library = (await import(address)) as typeof import('onnxruntime-web');
  library.env.wasm.numThreads = 1;
  return library;
}
