/** What every runtime refuses a call with. Knows no runtime. */
import { ServiceError } from '../errors.js';

export function shuttingDown(): ServiceError {
  return new ServiceError('shutting_down', 'The service is shutting down.', { retryAfterSeconds: 1 });
}

export function queueFull(): ServiceError {
  return new ServiceError(
    'queue_full',
    'Too many texts are waiting to be judged. Try again after the time in Retry-After.',
    { retryAfterSeconds: 1 },
  );
}
