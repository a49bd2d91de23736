/** When to try again, and how long to wait before it. Knows nothing of HTTP bodies. */

export interface RetryOptions {
  /** Tries of one call in all. 1: never again. */
  readonly attempts: number;
  /** Longest wait before a try. Where the service asks for more, the call fails at once. */
  readonly maxDelayMs: number;
}

const FIRST_DELAY_MS = 250;

/** 429: too fast. 503: not now. Other errors would come again. */
export function isWorthRetrying(status: number): boolean {
  return status === 429 || status === 503;
}

/**
 * What the service asks for and up to a quarter more, so that clients that were refused together do not come back together. Where it
 * asks for nothing: a random part of a time that doubles with each try.
 *
 * @param retryAfter the header: seconds or an HTTP date (RFC 9110, section 10.2.3)
 * @param attempt 1 for the wait after the first try
 */
export function delayMsOf(retryAfter: string | null, attempt: number, random = Math.random, now = Date.now): number {
  const askedMs = retryAfterMs(retryAfter, now);
  if (askedMs === undefined) return random() * FIRST_DELAY_MS * 2 ** (attempt - 1);
  return askedMs * (1 + random() / 4);
}

function retryAfterMs(retryAfter: string | null, now: () => number): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now());
}

/** @throws the reason of the signal, as soon as it is aborted */
export async function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      // The reason may be anything that the caller gave.
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, delayMs);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
