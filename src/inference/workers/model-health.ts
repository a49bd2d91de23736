/**
 * Whether the model answers: makes what went wrong an error that a caller may see, and asks the model again by itself while it does not answer.
 * Knows no texts.
 */
import { ServiceError } from '../../errors.js';
import { TaskFailedError, WorkerLostError } from './scheduler.js';

export interface ModelHealthOptions {
  /** Asks the model about a text of ours. Rejects as what is watched. */
  readonly test: () => Promise<unknown>;
  /** Workers were told to give up what they have. */
  readonly isAbandoned: () => boolean;
  /** Told why a task failed; the message holds no text. */
  readonly onProblem: (message: string) => void;
}

export interface ModelHealth {
  /** @throws ServiceError `model_not_ready` or `shutting_down` in place of TaskFailedError and WorkerLostError; all else as it is */
  watch<Value>(attempt: Promise<Value>): Promise<Value>;
  /** False from a failure on until an attempt succeeds. */
  isAnswering(): boolean;
  /** From now on nothing is tried again. */
  end(): void;
}

/** How soon what fails is tried again while nobody asks. */
const TEST_INTERVAL_MS = 1000;

export function createModelHealth({ test, isAbandoned, onProblem }: ModelHealthOptions): ModelHealth {
  let isFailing = false;
  let isEnding = false;
  let nextTest: NodeJS.Timeout | undefined;

  async function watch<Value>(attempt: Promise<Value>): Promise<Value> {
    try {
      const value = await attempt;
      isFailing = false;
      return value;
    } catch (error) {
      if (error instanceof TaskFailedError) {
        if (isAbandoned()) throw shuttingDown();
        noteFailure(`a run of the model failed: ${error.message}`);
        throw notReady('The model could not judge the text. Try again.', error);
      }
      if (error instanceof WorkerLostError) {
        noteFailure(`a run was given up: ${error.message}`);
        throw notReady('The model could not judge the text: its worker died. Try again.', error);
      }
      throw error;
    }
  }

  // What fails is tried again by itself: a balancer sends nothing to a service that says it is unhealthy.
  function noteFailure(message: string): void {
    onProblem(message);
    isFailing = true;
    if (isEnding) return;
    nextTest ??= setTimeout(() => {
      nextTest = undefined;
      watch(test()).catch(() => undefined);
    }, TEST_INTERVAL_MS).unref();
  }

  return {
    watch,
    isAnswering: () => !isFailing,
    end() {
      isEnding = true;
      clearTimeout(nextTest);
    },
  };
}

export function shuttingDown(): ServiceError {
  return new ServiceError('shutting_down', 'The service is shutting down.', { retryAfterSeconds: 1 });
}

function notReady(detail: string, cause: Error): ServiceError {
  return new ServiceError('model_not_ready', detail, { retryAfterSeconds: 1, cause });
}
