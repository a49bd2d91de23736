/** Chooses what does the arithmetic: TensorFlow itself where tfjs-node is installed and loads, else WebAssembly with SIMD. */
import { env, findBackend, setBackend } from '@tensorflow/tfjs-core';
import type { Backend } from '../workers/messages.js';
import { errorCodeOf, messageOf } from '../../errors.js';

/**
 * @returns it by the name that TensorFlow.js has for it
 * @throws Error when none can be used
 */
export async function chooseBackend(): Promise<Backend> {
  const native = await tryNative();
  if (native === 'works') return { name: 'tensorflow', problem: undefined };
  if ((await env().getAsync('WASM_HAS_SIMD_SUPPORT')) !== true) throw new Error('WebAssembly has no SIMD here');
  if (!(await setBackend('wasm'))) throw new Error('the WebAssembly backend does not start');
  return {
    name: 'wasm',
    problem: native === 'missing' ? undefined : `tfjs-node is installed but does not load: ${native.problem}`,
  };
}

async function tryNative(): Promise<'works' | 'missing' | { problem: string }> {
  try {
    await import('@tensorflow/tfjs-node');
    // A tfjs-node with a tfjs-core of its own registers its backend there, where our model does not look.
    if (findBackend('tensorflow') === null) return { problem: 'it belongs to another version of tfjs-core' };
    return (await setBackend('tensorflow')) ? 'works' : { problem: 'its backend does not start' };
  } catch (error) {
    if (isMissing(error)) return 'missing';
    // The first line: the rest is advice on how to install it.
    return { problem: messageOf(error).split('\n')[0] ?? '' };
  }
}

function isMissing(error: unknown): boolean {
  return errorCodeOf(error) === 'ERR_MODULE_NOT_FOUND' && messageOf(error).includes("'@tensorflow/tfjs-node'");
}
