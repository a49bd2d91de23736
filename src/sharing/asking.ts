/**
 * Asks a server that makes things better and that nothing needs: nobody waits for it beyond a deadline, and while it is silent it gets one question
 * a second. Knows not what is asked.
 */
import { errorCodeOf } from '../errors.js';

/** Of failures without one answer, before it counts as away. */
const PATIENCE_MS = 250;
const RETRY_MS = 1000;

export interface Asking {
  /** @throws Error after the deadline at the latest, at once while nobody is likely to answer, or what the question throws */
  ask<Answer>(question: () => Promise<Answer>): Promise<Answer>;
  /** What the connection itself tells. */
  failed(error: unknown): void;
  answered(): void;
  /** Neither an answer nor hope of one. */
  isAway(): boolean;
}

/** Why there is no answer, and undefined when there is one again. Without what was asked: that could be a key. */
export type OnProblem = (problem: string | undefined) => void;

export function createAsking(onProblem: OnProblem, deadlineMs = 50): Asking {
  const now = (): number => performance.now();
  let failing: { readonly sinceMs: number; askedAtMs: number; reason: string; isTold: boolean } | undefined;

  function isAway(): boolean {
    if (failing === undefined || now() - failing.sinceMs < PATIENCE_MS) return false;
    if (!failing.isTold) onProblem(failing.reason);
    failing.isTold = true;
    return true;
  }

  function failed(error: unknown): void {
    failing ??= { sinceMs: now(), askedAtMs: now(), reason: 'no connection', isTold: false };
    failing.reason = reasonOf(error) ?? failing.reason;
    isAway();
  }

  function answered(): void {
    if (failing?.isTold === true) onProblem(undefined);
    failing = undefined;
  }

  return {
    async ask(question) {
      if (isAway() && failing !== undefined) {
        if (now() - failing.askedAtMs < RETRY_MS) throw new NoAnswer();
        failing.askedAtMs = now();
      }
      try {
        const answer = await within(deadlineMs, question());
        answered();
        return answer;
      } catch (error) {
        failed(error);
        throw error;
      }
    },
    failed,
    answered,
    isAway,
  };
}

class NoAnswer extends Error {}

function within<Answer>(deadlineMs: number, answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // What arrived while this thread was busy counts.
      setImmediate(() => reject(new NoAnswer()));
    }, deadlineMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** A code of the system or the driver, or the word with which messages of Valkey begin, as in `NOAUTH`. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof NoAnswer) return 'no answer in time';
  const message = error instanceof Error ? error.message : '';
  return errorCodeOf(error) ?? /^[A-Z]{2,}\b/.exec(message)?.[0];
}
