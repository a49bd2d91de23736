/** Opens a model in ONNX Runtime as every thread does that judges texts. The only module that loads the library. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { assertTelemetryIsOff } from './no-telemetry.js';

export { Tensor, type InferenceSession };

/** One intra-op thread, so that workers scale with cores. */
export function openSession(modelPath: string): Promise<InferenceSession> {
  assertTelemetryIsOff();
  return InferenceSession.create(modelPath, {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    // Weights do not go through the arena, which grows in powers of two and would keep what it grew too much:
    // https://github.com/microsoft/onnxruntime/pull/7267
    extra: { session: { use_device_allocator_for_initializers: '1' } },
  });
}
