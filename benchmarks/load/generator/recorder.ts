/** What a stream of requests came to: keeps every latency, so that percentiles are exact. Knows no sockets and no clock of its own. */
import type { Answer, StreamResult } from './load-plan.js';

/** Times of `performance.now()`. */
export interface Interval {
  readonly beginMs: number;
  readonly endMs: number;
}

export interface Recorder {
  /** A request is due, whether it can be sent or not. It counts from here: what is never answered must show. */
  due(dueMs: number): void;
  answered(dueMs: number, answer: Answer, nowMs: number): void;
  /** Requests that are due and not answered yet, whether of the interval or not. */
  pending(): number;
  /** To be called at the end: what is not answered by then will not be waited for. */
  result(): StreamResult;
}

/** A request is of the interval if it was due within it. */
export function createRecorder({ beginMs, endMs }: Interval): Recorder {
  const latenciesMs: number[] = [];
  const answers = new Map<Answer, number>();
  let pending = 0;
  let unansweredWithin = 0;
  let succeeded = 0;
  const isWithin = (ms: number): boolean => ms >= beginMs && ms < endMs;
  const count = (answer: Answer, more: number): unknown => answers.set(answer, (answers.get(answer) ?? 0) + more);
  return {
    due(dueMs) {
      pending += 1;
      if (isWithin(dueMs)) unansweredWithin += 1;
    },
    answered(dueMs, answer, nowMs) {
      pending -= 1;
      // Throughput is what comes out during the interval: whatever was due before it counts, whatever comes after it does not.
      if (answer === 200 && isWithin(nowMs)) succeeded += 1;
      if (!isWithin(dueMs)) return;
      unansweredWithin -= 1;
      count(answer, 1);
      if (answer === 200) latenciesMs.push(nowMs - dueMs);
    },
    pending: () => pending,
    result() {
      if (unansweredWithin > 0) count('no answer', unansweredWithin);
      return {
        answers: Object.fromEntries(answers),
        succeededPerSecond: (1000 * succeeded) / (endMs - beginMs),
        latenciesMs: Float64Array.from(latenciesMs).sort(),
      };
    },
  };
}
