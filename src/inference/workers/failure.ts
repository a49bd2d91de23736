/** What may be said of a failure in a worker thread. It is logged, and the message of an error that is not ours can quote a text. */
import { faultOf } from '../../errors.js';

/** The model's answer is none. The message is ours and holds nothing of a text. */
export class ModelOutputError extends Error {
  override readonly name = 'ModelOutputError';
}

/** Of what went wrong while there was a text. */
export function failureOf(error: unknown): string {
  if (error instanceof ModelOutputError) return error.message;
  const { name, code } = faultOf(error);
  return `${code === undefined ? name : `${name} ${code}`} (its message is left out: it could quote a text)`;
}
