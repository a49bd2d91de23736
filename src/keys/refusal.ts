/** What the key store will not do, told apart so that a caller can answer it: not a fault of the file or the machine. */
import { OperatorError } from '../errors.js';

export type RefusalReason = 'unknown' | 'conflict' | 'invalid';

/** Thrown before anything was written. The message is fit for whoever asked. */
export class StoreRefusal extends OperatorError {
  constructor(
    readonly reason: RefusalReason,
    message: string,
  ) {
    super(message);
  }
}
