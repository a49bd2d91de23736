/**
 * A client of Parapet: one method for each endpoint, on the `fetch` of the platform. Server-side only: it holds an API key.
 *
 *     const parapet = new ParapetClient({ baseUrl: 'http://127.0.0.1:3000', apiKey });
 *     const { passed } = await parapet.analyze('Good morning!');
 */
import { ParapetConnectionError, ParapetError, problemIn } from './errors.js';
import { delayMsOf, isWorthRetrying, wait, type RetryOptions } from './retry.js';
import type { BatchItem, BatchResult, Details, Verdict } from './types.js';

export { ParapetConnectionError, ParapetError } from './errors.js';
export type { RetryOptions } from './retry.js';
export type { BatchItem, BatchResult, Category, Details, Label, Problem, Verdict } from './types.js';

export interface ParapetClientOptions {
  /** Where the service is: `http://127.0.0.1:3000`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Of one attempt, until its answer has arrived whole. 10 seconds by default. */
  readonly timeoutMs?: number;
  /** By default 3 attempts, at most 10 seconds apart. */
  readonly retry?: Partial<RetryOptions>;
  /** In place of the platform's. */
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  /** Ends the call, waits between attempts included: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface AnalyzeOptions extends CallOptions {
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** With `true`, the verdict has `details`. */
  readonly details?: boolean;
}

export interface Health {
  status: 'healthy' | 'starting' | 'unhealthy';
  timestamp: string;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_RETRY: RetryOptions = { attempts: 3, maxDelayMs: 10_000 };

interface Call extends CallOptions {
  readonly path: string;
  readonly body?: unknown;
}

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: unknown;
}

export class ParapetClient {
  readonly #baseUrl: string;
  readonly #apiKey: string;
  readonly #timeoutMs: number;
  readonly #retry: RetryOptions;
  readonly #fetch: typeof fetch;

  constructor(options: ParapetClientOptions) {
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.#apiKey = options.apiKey;
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#retry = { ...DEFAULT_RETRY, ...options.retry };
    this.#fetch = options.fetch ?? fetch;
  }

  /** @throws ParapetError or ParapetConnectionError: the text is then not judged */
  analyze(content: string, options: AnalyzeOptions & { details: true }): Promise<Verdict & { details: Details }>;
  analyze(content: string, options?: AnalyzeOptions): Promise<Verdict>;
  async analyze(content: string, { metadata, details, signal }: AnalyzeOptions = {}): Promise<Verdict> {
    const body = { content, ...(metadata && { metadata }) };
    const answer = await this.#ok({ path: `/v1/analyze${query(details)}`, body, ...(signal && { signal }) });
    if (!isRecord(answer) || typeof answer.passed !== 'boolean') throw new ParapetError(200, undefined);
    return answer as unknown as Verdict;
  }

  /**
   * Judges up to 128 texts.
   *
   * @returns in the order of the items, each with its verdict or its own problem: look at each
   */
  async analyzeBatch(
    items: readonly BatchItem[],
    { details, signal }: Pick<AnalyzeOptions, 'details' | 'signal'> = {},
  ): Promise<BatchResult[]> {
    const call = { path: `/v1/analyze/batch${query(details)}`, body: { items }, ...(signal && { signal }) };
    const answer = await this.#ok(call);
    if (!isRecord(answer) || !Array.isArray(answer.results)) throw new ParapetError(200, undefined);
    return answer.results as BatchResult[];
  }

  /** Never tried again: "unhealthy" is an answer. */
  async health({ signal }: CallOptions = {}): Promise<Health> {
    const { status, body } = await this.#attempt({ path: '/v1/health', ...(signal && { signal }) });
    if (typeof body === 'object' && body !== null && 'status' in body && 'timestamp' in body) return body as Health;
    throw new ParapetError(status, problemIn(body));
  }

  async #ok(call: Call): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      const { status, retryAfter, body } = await this.#attempt(call);
      if (status === 200) return body;
      const { attempts, maxDelayMs } = this.#retry;
      if (!isWorthRetrying(status) || attempt >= attempts || delayMsOf(retryAfter, attempt, () => 0) > maxDelayMs) {
        throw new ParapetError(status, problemIn(body));
      }
      await wait(Math.min(delayMsOf(retryAfter, attempt), maxDelayMs), call.signal);
    }
  }

  async #attempt({ path, body, signal }: Call): Promise<Answer> {
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    const sent = body === undefined ? undefined : JSON.stringify(body);
    try {
      const response = await this.#fetch(`${this.#baseUrl}${path}`, {
        method: sent === undefined ? 'GET' : 'POST',
        headers: { 'X-API-Key': this.#apiKey, 'Content-Type': 'application/json' },
        ...(sent !== undefined && { body: sent }),
        // Key and text would go along to wherever it leads.
        redirect: 'error',
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
      const text = await response.text();
      return { status: response.status, retryAfter: response.headers.get('retry-after'), body: parsed(text) };
    } catch (error) {
      signal?.throwIfAborted();
      const message = timeout.aborted ? `no answer within ${this.#timeoutMs} ms` : 'the connection failed';
      throw new ParapetConnectionError(message, { cause: error });
    }
  }
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
