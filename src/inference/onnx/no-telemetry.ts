/**
 * Turns off what ONNX Runtime reports to its makers. Its packages for Linux and macOS send device, model and run times unless this
 * variable is set (https://github.com/microsoft/onnxruntime/pull/27379). Loads nothing of it.
 */
import { isMainThread } from 'node:worker_threads';

const SWITCH = 'ORT_DISABLE_TELEMETRY';

/**
 * To be called before workers start. The library asks the process (getenv) when the first session is made, and never again; the
 * `process.env` of a worker is a copy that the process does not see.
 */
export function turnOffTelemetry(): void {
  if (!isMainThread) throw new Error(`${SWITCH} reaches the process from its main thread alone`);
  process.env[SWITCH] = '1';
}

/** @throws where nobody called `turnOffTelemetry` */
export function assertTelemetryIsOff(): void {
  if (process.env[SWITCH] !== '1') throw new Error(`${SWITCH} must be set to 1 before ONNX Runtime starts`);
}
