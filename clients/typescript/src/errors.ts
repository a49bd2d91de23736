/** What the client throws: the address and the cause, never the key or a text. Any of it means: not yet judged, never "passed". */
import type { Problem } from './types.js';

/** The service refused the request, or could not answer it. */
export class ParapetError extends Error {
  override readonly name = 'ParapetError';

  constructor(
    address: string,
    readonly status: number,
    /** `undefined` where the answer is none of Parapet's: mostly of a proxy in between. */
    readonly problem: Problem | undefined,
  ) {
    const said = problem === undefined ? 'which is no answer of Parapet' : `${problem.code}: ${problem.detail}`;
    super(`${address} answered ${status}, ${said}`);
  }

  /** Stable, as in docs/errors.md of the service. */
  get code(): string | undefined {
    return this.problem?.code;
  }
}

/** No whole answer came: a broken connection, or the time of an attempt was over. `cause` has more. */
export class ParapetConnectionError extends Error {
  override readonly name = 'ParapetConnectionError';
}

/** Platforms say "fetch failed", and the reason in its cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed';
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}

/** @returns the body as a problem, where it is one */
export function problemIn(body: unknown): Problem | undefined {
  return isProblem(body) ? body : undefined;
}

function isProblem(body: unknown): body is Problem {
  return (
    typeof body === 'object' &&
    body !== null &&
    'code' in body &&
    typeof body.code === 'string' &&
    'detail' in body &&
    typeof body.detail === 'string'
  );
}
