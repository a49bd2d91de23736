/** What the client throws. Anything thrown means: not yet judged, never "passed". */
import type { Problem } from './types.js';

/** The service refused the request, or could not answer it. */
export class ParapetError extends Error {
  override readonly name = 'ParapetError';

  constructor(
    readonly status: number,
    /** `undefined` where the answer is no problem document: mostly of a proxy in between. */
    readonly problem: Problem | undefined,
  ) {
    super(problem === undefined ? `HTTP status ${status}` : `${problem.code}: ${problem.detail}`);
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
