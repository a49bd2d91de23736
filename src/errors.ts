/**
 * What can go wrong: the one table of errors that a caller of the API can meet, with the exception that carries a code of it, what an operator can
 * mend, and what may be logged of all else. Knows nothing of Fastify: src/http/problem.ts turns a code into a response (RFC 9457).
 */
import type { z } from 'zod';

interface ErrorEntry {
  readonly status: number;
  readonly title: string;
  /** Where only the admin API answers it. */
  readonly of?: 'dashboard';
  /** For WWW-Authenticate, without which no 401 is complete (RFC 9110, section 15.5.2). */
  readonly challenge?: string;
}

const KEY_CHALLENGE = 'ApiKey realm="parapet", Bearer realm="parapet"';
/** Schemes for which no browser opens a dialog of its own. */
const SESSION_CHALLENGE = 'Session realm="parapet dashboard", Bearer realm="parapet dashboard"';

/** By code. docs/errors.md has one section for each; a test fails when the two disagree. */
export const ERROR_TABLE = {
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  invalid_body: { status: 400, title: 'The body does not have the expected shape' },
  content_too_long: { status: 400, title: 'The content is too long' },
  invalid_query: { status: 400, title: 'A query parameter is not valid' },
  bad_request: { status: 400, title: 'The request is not valid HTTP' },
  unauthorized: { status: 401, title: 'A valid API key is required', challenge: KEY_CHALLENGE },
  not_found: { status: 404, title: 'There is nothing at this address' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be JSON' },
  rate_limited: { status: 429, title: 'The rate limit of this key is reached' },
  too_many_failures: { status: 429, title: 'Too many requests without a valid API key' },
  headers_too_large: { status: 431, title: 'The request headers are too large' },
  internal_error: { status: 500, title: 'The service failed to answer' },
  model_not_ready: { status: 503, title: 'The model is not ready' },
  answer_timeout: { status: 503, title: 'The verdict took too long' },
  queue_full: { status: 503, title: 'The service is at capacity' },
  shutting_down: { status: 503, title: 'The service is shutting down' },
  keys_unavailable: { status: 503, title: 'API keys cannot be checked at the moment' },
  policies_unavailable: { status: 503, title: 'Policies cannot be read at the moment' },
  records_unavailable: { status: 503, title: 'What was decided cannot be read at the moment' },
  sign_in_required: {
    status: 401,
    title: 'The dashboard asks to sign in',
    of: 'dashboard',
    challenge: SESSION_CHALLENGE,
  },
  wrong_password: { status: 401, title: 'The password is wrong', of: 'dashboard', challenge: SESSION_CHALLENGE },
  sign_in_refused: { status: 403, title: 'This sign-in does not lead into the dashboard', of: 'dashboard' },
  foreign_origin: { status: 403, title: 'The request does not come from the dashboard', of: 'dashboard' },
  role_too_low: { status: 403, title: 'The role does not allow this', of: 'dashboard' },
  conflict: { status: 409, title: 'The present state does not allow this' },
  provider_unavailable: { status: 503, title: 'The provider of sign-ins does not answer', of: 'dashboard' },
  too_many_sign_ins: { status: 429, title: 'Too many attempts to sign in', of: 'dashboard' },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERROR_TABLE;

/** One complaint about one place in the body or the query; `path` is dotted, empty for the whole. */
export interface FieldError {
  path: string;
  message: string;
}

interface Extras {
  errors?: readonly FieldError[];
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** An error that the caller may see. `detail` says what to do and never quotes content, metadata or keys. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly errors: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ErrorCode,
    readonly detail: string,
    extras: Extras = {},
  ) {
    super(`${code}: ${detail}`, extras.cause === undefined ? {} : { cause: extras.cause });
    this.errors = extras.errors;
    this.retryAfterSeconds = extras.retryAfterSeconds;
  }

  get status(): number {
    return ERROR_TABLE[this.code].status;
  }

  get challenge(): string | undefined {
    const entry: ErrorEntry = ERROR_TABLE[this.code];
    return entry.challenge;
  }
}

/** A ServiceError as data, as it crosses threads. */
export interface ProblemData {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
}

export function problemDataOf({ code, detail, errors }: ServiceError): ProblemData {
  return { code, detail, ...(errors && { errors }) };
}

export function serviceErrorFrom({ code, detail, errors }: ProblemData): ServiceError {
  return new ServiceError(code, detail, errors && { errors });
}

/** A reason not to start (or to stop) that the operator can mend: printed as one message, without a stack trace. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

export type RefusalReason = 'unknown' | 'conflict' | 'invalid';

/** What a store will not do: thrown before anything was written, and no fault of a file or the machine. The message is fit for whoever asked. */
export class StoreRefusal extends OperatorError {
  constructor(
    readonly reason: RefusalReason,
    message: string,
  ) {
    super(message);
  }
}

/** What a store is asked for, checked against its schema. @throws StoreRefusal that names each member and what is wrong with it */
export function valid<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new StoreRefusal(
    'invalid',
    parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim()).join('; '),
  );
}

/** The code (`ENOENT`, `EACCES`, ...) of what the operating system or the lock threw. */
export function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** In full: only of what no text could get into. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What may be logged of an error: its kind and where it happened, never its message, which can quote a text, a key or an address. */
export interface Fault {
  readonly name: string;
  /** Code of the framework or the system, as in `FST_ERR_REP_ALREADY_SENT`. */
  readonly code: string | undefined;
  readonly stack: readonly string[];
}

export function faultOf(cause: unknown): Fault {
  if (!(cause instanceof Error)) return { name: typeof cause, code: undefined, stack: [] };
  const { name, message, stack = '' } = cause;
  const code = errorCodeOf(cause);
  // A message may have several lines, and lines that look like frames: what does not follow the message is not trusted.
  const at = stack.indexOf(message);
  const frames = at === -1 ? [] : stack.slice(at + message.length).split('\n');
  return {
    name,
    code: code !== undefined && /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : undefined,
    stack: frames.map((line) => line.trim()).filter((line) => line.startsWith('at ')),
  };
}
