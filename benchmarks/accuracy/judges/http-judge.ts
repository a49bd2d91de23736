/** Judges by a running service, over its public interface alone. Waits where the service asks it to; the key goes nowhere else. */
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { OperatorError } from 'parapet/engine';
import type { Judge, Judgement, Refusal } from './judge.js';

export interface HttpJudgeOptions {
  /** The base address, without a trailing slash. */
  readonly url: string;
  readonly key: string;
  readonly interruption?: AbortSignal;
  readonly concurrency?: number;
  readonly now?: () => number;
  readonly sleep?: (ms: number) => Promise<void>;
}

/** Enough to keep a few cores busy; the queue of a service holds 128 by default. */
const CONCURRENCY = 8;
const TIMEOUT_MS = 120_000;
/** A longer wait is for a person to decide about. */
const MAX_WAIT_SECONDS = 300;
/** Refusals to each text in flight, while none at all is judged, after which the service counts as not answering. */
const MAX_ROUNDS_WITHOUT_PROGRESS = 30;

/** What the service finds wrong with a text; any other 400 is about the request, and no text would fare better. */
const REFUSALS: ReadonlySet<string> = new Set(['invalid_body', 'content_too_long']);

const probabilities = z.record(z.string(), z.number());
const answerSchema = z.object({
  passed: z.boolean(),
  score: z.int().min(0).max(10),
  sentiment: z.string(),
  categories: z.array(z.string()),
  details: z.object({ model: z.string(), labels: probabilities, sentiment: probabilities }),
});
const problemSchema = z.object({ code: z.string(), detail: z.string().catch('') });

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: unknown;
}

export function createHttpJudge(options: HttpJudgeOptions): Judge {
  const { url, key, concurrency = CONCURRENCY, now = Date.now } = options;
  const closing = new AbortController();
  const signals = [closing.signal, ...(options.interruption === undefined ? [] : [options.interruption])];
  const stopped = AbortSignal.any(signals);
  const sleep = options.sleep ?? ((ms: number) => delay(ms, undefined, { signal: stopped }));
  const address = `${url}/v1/analyze?details=true`;
  // Of all texts together: a text may be unlucky many times while the service is busy with the others.
  let refusalsInARow = 0;

  async function send(text: string): Promise<Answer> {
    try {
      const response = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: JSON.stringify({ content: text }),
        // A redirect would carry the key to another address.
        redirect: 'error',
        signal: AbortSignal.any([stopped, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      return {
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        body: parseJson(await response.text()),
      };
    } catch (error) {
      throw new OperatorError(`${url} does not answer: ${causeOf(error)}`, { cause: error });
    }
  }

  return {
    description: url,
    concurrency,
    async judge(text) {
      for (;;) {
        const answer = await send(text);
        if (answer.status !== 429 && answer.status !== 503) {
          refusalsInARow = 0;
          return outcomeOf(answer, url);
        }
        refusalsInARow += 1;
        const seconds = retryAfterSeconds(answer.retryAfter, now());
        if (refusalsInARow > MAX_ROUNDS_WITHOUT_PROGRESS * concurrency || seconds > MAX_WAIT_SECONDS) {
          throw new OperatorError(
            `${url} keeps refusing: ${explain(answer)} (it asks to wait ${Math.ceil(seconds)} s).`,
          );
        }
        // Only this text waits: that the queue is full does not mean that the next one will find it so.
        await sleep(seconds * 1000);
      }
    },
    close() {
      closing.abort();
      return Promise.resolve();
    },
  };
}

function outcomeOf(answer: Answer, url: string): Judgement | Refusal {
  if (answer.status === 400) {
    const problem = problemSchema.safeParse(answer.body);
    if (problem.success && REFUSALS.has(problem.data.code)) return { error: problem.data.code };
  }
  if (answer.status !== 200) throw new OperatorError(`${url} answered ${explain(answer)}.`);
  const parsed = answerSchema.safeParse(answer.body);
  if (!parsed.success) throw new OperatorError(`${url} answered 200, but not with a verdict and its details.`);
  const { details, ...verdict } = parsed.data;
  return { ...verdict, labels: details.labels, sentiments: details.sentiment, model: details.model };
}

/** In seconds from now; both forms of RFC 9110, section 10.2.3. A service that does not say gets one second. */
function retryAfterSeconds(value: string | null, nowMs: number): number {
  if (value === null) return 1;
  if (/^\d+$/.test(value.trim())) return Number(value);
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? 1 : Math.max(0, (atMs - nowMs) / 1000);
}

function explain({ status, body }: Answer): string {
  const problem = problemSchema.safeParse(body);
  return problem.success
    ? `${status} ${problem.data.code}: ${problem.data.detail.slice(0, 200).replace(/\.$/, '')}`
    : String(status);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** fetch() says "fetch failed" and keeps what happened in `cause`. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}
