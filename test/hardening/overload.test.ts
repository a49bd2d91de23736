/** What callers meet at five times the capacity: an answer, always, in time; and what is left of it when it is over. */
import { describe, expect, it } from 'vitest';
import { median } from '../../benchmarks/load/figures/percentiles.js';
import { readUsage } from '../../benchmarks/load/targets/process-usage.js';
import { outcomeOf, post, startService, type ReadyService } from '../support/service.js';
import { harmlessText, KIND } from '../support/texts.js';
import { sized, TIME_LIMIT_MS } from './scale.js';

/** Long, so that judging and not asking takes the machine's time: the client runs on it too. */
const TEXT_CHARACTERS = 1500;
const MAX_QUEUE = 16;
const THREADS = 2;
const OVERLOAD_MS = sized({ short: 4_000, long: 60_000 });
const CAPACITY_MS = sized({ short: 3_000, long: 10_000 });
const TIMES_CAPACITY = 5;
const ANSWER_TIMEOUT_SECONDS = 20;
const MOST_GROWTH_MEGABYTES = 150;
const RECOVERY_MS = 5_000;

interface Asked {
  readonly outcome: string;
  readonly retryAfter: string | null;
  readonly tookMs: number;
}

let asked = 0;

/** Every text is a new one, so that no cache helps. */
async function ask(service: ReadyService): Promise<Asked> {
  asked += 1;
  const begun = performance.now();
  const response = await post(service, harmlessText(TEXT_CHARACTERS, `number ${asked}`));
  const outcome = await outcomeOf(response);
  return { outcome, retryAfter: response.headers.get('retry-after'), tookMs: performance.now() - begun };
}

/** Answers a second of a closed loop that keeps every worker busy and no queue full. */
async function capacityOf(service: ReadyService): Promise<number> {
  const end = performance.now() + CAPACITY_MS;
  let answered = 0;
  const clients = Array.from({ length: 2 * THREADS }, async () => {
    while (performance.now() < end) {
      expect((await ask(service)).outcome).toBe('200');
      answered += 1;
    }
  });
  await Promise.all(clients);
  return (1000 * answered) / CAPACITY_MS;
}

/** Sends at this rate whether or not answers come: callers do not wait for each other. */
async function overload(service: ReadyService, perSecond: number): Promise<Asked[]> {
  const begun = performance.now();
  const answers: Promise<Asked>[] = [];
  while (performance.now() - begun < OVERLOAD_MS) {
    const dueCount = Math.floor(((performance.now() - begun) / 1000) * perSecond);
    while (answers.length < dueCount) answers.push(ask(service));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return Promise.all(answers);
}

async function latencyMs(service: ReadyService): Promise<number> {
  const took: number[] = [];
  for (let count = 0; count < 7; count += 1) took.push((await ask(service)).tookMs);
  return median(took) ?? Number.NaN;
}

describe('at five times the capacity', () => {
  it(
    'every request is answered in time, with a verdict or with 503 and Retry-After, and nothing is left of it afterwards',
    async () => {
      const service = await startService({
        INFERENCE_THREADS: String(THREADS),
        MAX_QUEUE: String(MAX_QUEUE),
        ANSWER_TIMEOUT_SECONDS: String(ANSWER_TIMEOUT_SECONDS),
        RATE_LIMIT_PER_MINUTE: '0',
      });
      const { pid } = service.child;
      if (pid === undefined) throw new Error('the service has no process');
      const capacity = await capacityOf(service);
      const normalMs = await latencyMs(service);
      const before = await readUsage(pid);
      const answers = await overload(service, TIMES_CAPACITY * capacity);
      const overAtMs = performance.now();
      // The first answer after it may still wait behind what was accepted last.
      let recoveredMs = Number.NaN;
      while (Number.isNaN(recoveredMs)) {
        const nowMs = await latencyMs(service);
        if (nowMs < 2 * normalMs + 50) recoveredMs = performance.now() - overAtMs;
        if (performance.now() - overAtMs > 6 * RECOVERY_MS) break;
      }
      const after = await readUsage(pid);

      const accepted = answers.filter(({ outcome }) => outcome === '200').map(({ tookMs }) => tookMs);
      const refused = answers.filter(({ outcome }) => /^503 (queue_full|answer_timeout)$/.test(outcome));
      // At the pace that was kept, should the machine have become slower since its capacity was measured.
      const pace = Math.min(capacity, (1000 * accepted.length) / OVERLOAD_MS);
      const queueMs = (1000 * (MAX_QUEUE + THREADS)) / pace;
      const grownMegabytes = (after?.memoryMegabytes ?? 0) - (before?.memoryMegabytes ?? 0);
      const p99Ms = accepted.toSorted((a, b) => a - b)[Math.floor(accepted.length * 0.99)] ?? Number.NaN;
      console.info(
        [
          `capacity ${capacity.toFixed(0)}/s, offered ${((1000 * answers.length) / OVERLOAD_MS).toFixed(0)}/s for ${OVERLOAD_MS / 1000} s`,
          `${accepted.length} judged, ${refused.length} refused; the queue's worth of work is ${queueMs.toFixed(0)} ms`,
          `judged: median ${(median(accepted) ?? Number.NaN).toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms; before ${normalMs.toFixed(0)} ms`,
          `memory ${grownMegabytes.toFixed(0)} MB more than before; normal again after ${recoveredMs.toFixed(0)} ms`,
        ].join('\n'),
      );
      expect(accepted.length + refused.length).toBe(answers.length);
      expect(refused.length).toBeGreaterThan(0);
      expect(refused.filter(({ retryAfter }) => !/^[1-9]\d*$/.test(retryAfter ?? ''))).toEqual([]);
      // AnalyzeOptions goes on at its pace: at least a quarter of what a relaxed load got.
      expect(accepted.length).toBeGreaterThan((0.25 * capacity * OVERLOAD_MS) / 1000);
      expect(Math.max(...answers.map(({ tookMs }) => tookMs))).toBeLessThan(1000 * ANSWER_TIMEOUT_SECONDS + 2_000);
      // The client's own waiting is in these times as well.
      expect(p99Ms).toBeLessThan(2 * queueMs + 250);
      expect(grownMegabytes).toBeLessThan(MOST_GROWTH_MEGABYTES);
      expect(recoveredMs).toBeLessThan(RECOVERY_MS + queueMs);
      expect(await outcomeOf(await post(service, KIND))).toBe('200');
    },
    TIME_LIMIT_MS,
  );
});
