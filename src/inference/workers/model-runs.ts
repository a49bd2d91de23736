/**
 * Runs of the model: makes what went wrong an error that a caller may see, knows whether the model answers, and asks it again by itself
 * while it does not. Knows no texts but its own.
 */
import { ServiceError } from '../../errors.js';
import type { GiveUpSignal } from '../../give-up.js';
import { shuttingDown } from '../refusals.js';
import { RunFailedError, WorkerLostError, type Dispatcher, type Turn } from './dispatcher.js';
import type { Work, WorkResult } from './messages.js';

export interface ModelRunsOptions<Run> {
  readonly dispatcher: Dispatcher<Run>;
  /** Workers were told to give up what they have. */
  readonly isAbandoned: () => boolean;
  /** Told why a run failed; the message holds no text. */
  readonly onProblem: (message: string) => void;
}

export interface ModelRuns<Run> {
  /** @throws ServiceError `model_not_ready` or `shutting_down`; the signal's reason, at once, when it aborts */
  run(prepare: () => Work<Run>, turn: Turn, signal?: GiveUpSignal): Promise<WorkResult<Run>>;
  /**
   * A run on a text of ours, of which nobody else is told.
   *
   * @throws RunFailedError or WorkerLostError
   */
  test(): Promise<WorkResult<Run>>;
  /** False from a failure on until a run succeeds. */
  isAnswering(): boolean;
  /** From now on nothing is tried again. */
  end(): void;
}

/** How soon what fails is tried again while nobody asks. */
const SELF_TEST_INTERVAL_MS = 1000;
const SELF_TEST_TEXT = 'Parapet is ready.';

export function createModelRuns<Run>(options: ModelRunsOptions<Run>): ModelRuns<Run> {
  const { dispatcher, isAbandoned, onProblem } = options;
  let isFailing = false;
  let isEnding = false;
  let selfTest: NodeJS.Timeout | undefined;

  const test = (): Promise<WorkResult<Run>> =>
    dispatcher.submit(() => ({ text: SELF_TEST_TEXT }), {
      project: undefined,
      dueMs: performance.now(),
      tokens: 0,
    });

  async function watched(attempt: Promise<WorkResult<Run>>): Promise<WorkResult<Run>> {
    try {
      const result = await attempt;
      isFailing = false;
      return result;
    } catch (error) {
      if (error instanceof RunFailedError) {
        if (isAbandoned()) throw shuttingDown();
        noteFailure(`a run of the model failed: ${error.message}`);
        throw notReady('The model could not judge the text. Try again.', error);
      }
      if (error instanceof WorkerLostError) {
        noteFailure('a run was given up: its worker was lost twice');
        throw notReady('The model could not judge the text: its worker died twice. Try again.', error);
      }
      throw error;
    }
  }

  // What fails is tried again by itself: a balancer sends nothing to a service that says it is unhealthy.
  function noteFailure(message: string): void {
    onProblem(message);
    isFailing = true;
    if (isEnding) return;
    selfTest ??= setTimeout(() => {
      selfTest = undefined;
      watched(test()).catch(() => undefined);
    }, SELF_TEST_INTERVAL_MS).unref();
  }

  return {
    run: (prepare, turn, signal) => watched(dispatcher.submit(prepare, turn, signal)),
    test,
    isAnswering: () => !isFailing,
    end() {
      isEnding = true;
      clearTimeout(selfTest);
    },
  };
}

function notReady(detail: string, cause: Error): ServiceError {
  return new ServiceError('model_not_ready', detail, { retryAfterSeconds: 1, cause });
}
