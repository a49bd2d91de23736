/**
 * A client of Parapet on the `fetch` of the platform. Server-side only: it holds an API key.
 *
 *     const parapet = new ParapetClient({ baseUrl: 'http://127.0.0.1:3000', apiKey });
 *     const { passed } = await parapet.analyze('Good morning!');
 */
import { batches, bodyOf, MAX_BATCH_ITEMS, type Batch, type Text } from './batches.js';
import { ParapetConnectionError, ParapetError, problemIn, reasonOf } from './errors.js';
import { delayMsOf, isWorthRetrying, wait, type RetryOptions } from './retry.js';
import type { BatchItem, BatchResult, Details, Verdict } from './types.js';

export { ParapetConnectionError, ParapetError } from './errors.js';
export type { Text } from './batches.js';
export type { RetryOptions } from './retry.js';
export type { BatchItem, BatchResult, Category, Details, Label, Problem, Verdict } from './types.js';

export interface ParapetClientOptions {
  /** Where the service is: `http://127.0.0.1:3000`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Of one attempt, until its answer has arrived whole. 10 seconds by default. */
  readonly timeoutMs?: number;
  /** The same for many texts. 70 seconds by default: the service takes up to ANSWER_TIMEOUT_SECONDS. */
  readonly batchTimeoutMs?: number;
  /** By default 3 attempts, at most 10 seconds apart. */
  readonly retry?: Partial<RetryOptions>;
  /** In place of the platform's. */
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  /** Ends the call, waits between attempts included: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface DetailsOptions extends CallOptions {
  /** With `true`, the verdict has `details`. */
  readonly details?: boolean | undefined;
}

export interface AnalyzeOptions extends DetailsOptions {
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

export interface ManyOptions extends DetailsOptions {
  /** Requests at once. */
  readonly concurrency?: number;
  /** Texts of a request, 128 at most. */
  readonly batchSize?: number;
}

export interface Health {
  status: 'healthy' | 'starting' | 'unhealthy';
  timestamp: string;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_BATCH_TIMEOUT_MS = 70_000;
const DEFAULT_RETRY: RetryOptions = { attempts: 3, maxDelayMs: 10_000 };

interface Call extends CallOptions {
  readonly path: string;
  /** Without it, a GET. */
  readonly body?: string;
  readonly timeoutMs: number;
}

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: unknown;
}

export class ParapetClient {
  readonly #address: string;
  readonly #apiKey: string;
  readonly #timeoutMs: number;
  readonly #batchTimeoutMs: number;
  readonly #retry: RetryOptions;
  readonly #fetch: typeof fetch;

  /** @throws TypeError for what can be no address or no key */
  constructor(options: ParapetClientOptions) {
    this.#address = addressIn(options.baseUrl);
    // What cannot stand in a header would be quoted by the error that says so.
    if (!/^[!-~]+$/.test(options.apiKey)) throw new TypeError('apiKey is missing, or nothing that can be a key');
    this.#apiKey = options.apiKey;
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#batchTimeoutMs = options.batchTimeoutMs ?? DEFAULT_BATCH_TIMEOUT_MS;
    this.#retry = { ...DEFAULT_RETRY, ...options.retry };
    this.#fetch = options.fetch ?? fetch;
  }

  /** @throws ParapetError or ParapetConnectionError: the text is then not judged */
  analyze(content: string, options: AnalyzeOptions & { details: true }): Promise<Verdict & { details: Details }>;
  analyze(content: string, options?: AnalyzeOptions): Promise<Verdict>;
  async analyze(content: string, { metadata, details, signal }: AnalyzeOptions = {}): Promise<Verdict> {
    const body = JSON.stringify({ content, metadata });
    const answer = await this.#ok({ path: `/v1/analyze${query(details)}`, body, timeoutMs: this.#timeoutMs, signal });
    if (!isRecord(answer) || typeof answer.passed !== 'boolean') throw this.#error(200);
    return answer as unknown as Verdict;
  }

  /**
   * Judges any number of texts, in one request after another.
   *
   * @returns in the order of the texts, each with its verdict or its own problem: look at each
   */
  async analyzeBatch(texts: readonly Text[], options: DetailsOptions = {}): Promise<BatchResult[]> {
    const results: BatchResult[] = [];
    for await (const result of this.analyzeMany(texts, { ...options, concurrency: 1 })) results.push(result);
    return results;
  }

  /**
   * The results of texts that need not be there at once, in their order. Reads `concurrency * batchSize` texts ahead; a loop that ends
   * early ends what is under way.
   */
  async *analyzeMany(
    texts: Iterable<Text> | AsyncIterable<Text>,
    { concurrency = 2, batchSize = MAX_BATCH_ITEMS, details, signal }: ManyOptions = {},
  ): AsyncGenerator<BatchResult, void, undefined> {
    const end = new AbortController();
    const ended = signal === undefined ? end.signal : AbortSignal.any([signal, end.signal]);
    const pending: Promise<BatchResult[]>[] = [];
    try {
      for await (const batch of batches(texts, batchSize)) {
        const judged = this.#judge(batch, { details, signal: ended });
        judged.catch(() => undefined); // Whoever awaits it still sees it.
        pending.push(judged);
        if (pending.length >= concurrency) yield* (await pending.shift()) ?? [];
      }
      for (const judged of pending) yield* await judged;
    } finally {
      end.abort();
    }
  }

  /** Never tried again: "unhealthy" is an answer. */
  async health({ signal }: CallOptions = {}): Promise<Health> {
    const { status, body } = await this.#attempt({ path: '/v1/health', timeoutMs: this.#timeoutMs, signal });
    if (isRecord(body) && 'status' in body && 'timestamp' in body) return body as unknown as Health;
    throw this.#error(status, body);
  }

  async #judge(batch: Batch, { details, signal }: DetailsOptions): Promise<BatchResult[]> {
    const path = `/v1/analyze/batch${query(details)}`;
    try {
      const answer = await this.#ok({ path, body: bodyOf(batch), timeoutMs: this.#batchTimeoutMs, signal });
      if (isRecord(answer) && Array.isArray(answer.results) && answer.results.length === batch.length) {
        return answer.results as BatchResult[];
      }
      throw this.#error(200);
    } catch (error) {
      const [item, ...others] = batch;
      if (item === undefined || others.length > 0 || !(error instanceof ParapetError)) throw error;
      if (error.problem?.code !== 'body_too_large') throw error;
      // A text that is too large for any request spoils no other.
      return [{ id: (JSON.parse(item) as BatchItem).id, problem: error.problem }];
    }
  }

  async #ok(call: Call): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      const { status, retryAfter, body } = await this.#attempt(call);
      if (status === 200) return body;
      const { attempts, maxDelayMs } = this.#retry;
      if (!isWorthRetrying(status) || attempt >= attempts || delayMsOf(retryAfter, attempt, () => 0) > maxDelayMs) {
        throw this.#error(status, body);
      }
      await wait(Math.min(delayMsOf(retryAfter, attempt), maxDelayMs), call.signal);
    }
  }

  async #attempt({ path, body, timeoutMs, signal }: Call): Promise<Answer> {
    const timeout = AbortSignal.timeout(timeoutMs);
    // As a method of this object, that of edge platforms would refuse.
    const send = this.#fetch;
    try {
      const response = await send(`${this.#address}${path}`, {
        ...(body !== undefined && {
          method: 'POST',
          headers: { 'X-API-Key': this.#apiKey, 'Content-Type': 'application/json' },
          body,
        }),
        // Key and text would go along to wherever it leads. Edge platforms do not know "error".
        redirect: 'manual',
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
      const text = await response.text();
      return { status: response.status, retryAfter: response.headers.get('retry-after'), body: parsed(text) };
    } catch (error) {
      signal?.throwIfAborted();
      const reason = timeout.aborted ? `nothing came in ${timeoutMs} ms` : reasonOf(error);
      throw new ParapetConnectionError(`no answer from ${this.#address}: ${reason}`, { cause: error });
    }
  }

  #error(status: number, body?: unknown): ParapetError {
    return new ParapetError(this.#address, status, problemIn(body));
  }
}

function addressIn(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) throw new TypeError('baseUrl is no address such as http://127.0.0.1:3000');
  const { protocol, username, password, origin, pathname } = new URL(baseUrl);
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') {
    throw new TypeError('baseUrl must begin with http:// or https://, and hold no password');
  }
  return `${origin}${pathname}`.replace(/\/+$/, '');
}

/** Something in between (a page to sign in, say) can answer 200 as well. */
function isRecord(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null;
}

function query(details: boolean | undefined): string {
  return details === true ? '?details=true' : '';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
