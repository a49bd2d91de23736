/** Turns whatever went wrong into problem details (RFC 9457). The one place that maps errors to HTTP answers. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ERROR_TABLE, type ErrorCode, errorCodeOf, faultOf, ServiceError } from '../errors.js';
import type { Problem } from './routes/schemas.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the request was answered with an error. */
    problemCode?: ErrorCode;
  }
}

/** Not registered, but the status under which logs and metrics know a client that has gone, since nginx. Nobody receives it. */
export const CLIENT_CLOSED_REQUEST = 499;

export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
}

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** A name, not an address (RFC 9457, section 3.1.1): a self-hosted service has no public page to point at. */
const TYPE_PREFIX = 'urn:parapet:problem:';

export function problemOf(error: ServiceError, requestId: string): Problem {
  return {
    type: `${TYPE_PREFIX}${error.code}`,
    title: ERROR_TABLE[error.code].title,
    status: error.status,
    detail: error.detail,
    code: error.code,
    requestId,
    ...(error.errors === undefined ? {} : { errors: [...error.errors] }),
  };
}

/** How a part of the API words its errors. Which error it is, and nearly everywhere the status, are the same for all. */
export interface ErrorFormat {
  readonly contentType: string;
  /** In place of that of the error, for callers that take an error for something else. */
  readonly status?: number;
  /** For WWW-Authenticate, in place of that of the error. */
  readonly challenge?: string;
  /** Errors that it does not cover are problem details. All, where it does not say. */
  covers?(error: ServiceError): boolean;
  /** @returns what is sent as JSON, or a text as it is */
  bodyOf(error: ServiceError, requestId: string): object | string;
}

const PROBLEM_DETAILS: ErrorFormat = {
  contentType: PROBLEM_TYPE,
  bodyOf: problemOf,
};

/** What Fastify throws by itself, before our code sees the request: https://fastify.dev/docs/latest/Reference/Errors/ */
const FRAMEWORK_ERRORS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Send the body as Content-Type: application/json.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_request', 'The Content-Length header does not match the body.'],
  FST_ERR_BAD_URL: ['bad_request', 'The address is not a valid URL path.'],
  FST_ERR_ASYNC_CONSTRAINT: ['bad_request', 'The request is not valid.'],
};

const NOTHING_HERE =
  'Nothing answers at this path. Texts go to POST /v1/analyze. The API is described at /docs and /openapi.json, and /v1/health tells the state of the service.';

/** The error that the caller may see. A fault of ours is logged here, with the cause that the caller does not see. */
export function serviceErrorOf(error: unknown, request: FastifyRequest): ServiceError {
  const known = toServiceError(error, request);
  if (known.status === 500) request.log.error({ fault: faultOf(known.cause) }, 'internal error');
  return known;
}

function toServiceError(error: unknown, request: FastifyRequest): ServiceError {
  if (error instanceof ServiceError) return error;
  const code = errorCodeOf(error) ?? '';
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const { bodyLimit } = request.routeOptions;
    return new ServiceError('body_too_large', `Send a body of at most ${bodyLimit} bytes.`, { cause: error });
  }
  const known = FRAMEWORK_ERRORS[code];
  if (known !== undefined) return new ServiceError(known[0], known[1], { cause: error });
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  // Of foreign errors: Fastify marks an upload that broke off so.
  if (status >= 400 && status < 500) {
    return new ServiceError('bad_request', 'The request was broken off, or asks for what this path cannot give.', {
      cause: error,
    });
  }
  return new ServiceError(
    'internal_error',
    'The service could not answer. The fault is ours and is logged under this requestId.',
    { cause: error },
  );
}

export function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  formatThere: ErrorFormat = PROBLEM_DETAILS,
): void {
  if (error instanceof ClientGoneError) {
    void reply.code(CLIENT_CLOSED_REQUEST).send();
    return;
  }
  const problem = serviceErrorOf(error, request);
  const format = formatThere.covers?.(problem) === false ? PROBLEM_DETAILS : formatThere;
  request.problemCode = problem.code;
  if (problem.retryAfterSeconds !== undefined) void reply.header('retry-after', String(problem.retryAfterSeconds));
  if (problem.challenge !== undefined) {
    void reply.header('www-authenticate', format.challenge ?? problem.challenge);
  }
  if (problem.code === 'shutting_down') void reply.header('connection', 'close');
  const body = format.bodyOf(problem, request.id);
  void reply
    .code(format.status ?? problem.status)
    .type(format.contentType)
    .send(typeof body === 'string' ? body : JSON.stringify(body));
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** A part of the service that is turned off: what is said at its path and below. */
export interface AbsentPart {
  readonly path: string;
  readonly detail: string;
}

/** 405 with `Allow` where the path exists under another method (RFC 9110, section 15.5.6), else 404. */
export function sendNotFound(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  format?: ErrorFormat,
  absent?: AbsentPart,
): void {
  const path = pathOf(request.url);
  const allowed = METHODS.filter((method) => {
    // Its type leaves out the null.
    const route: unknown = app.findRoute({ method, url: request.url });
    return route !== null;
  });
  if (allowed.length === 0) {
    const isAbsent = absent !== undefined && (path === absent.path || path.startsWith(`${absent.path}/`));
    sendProblem(new ServiceError('not_found', isAbsent ? absent.detail : NOTHING_HERE), request, reply, format);
    return;
  }
  void reply.header('allow', allowed.join(', '));
  const hint = path === '/' ? ' Texts go to POST /v1/analyze.' : '';
  const detail = `Use ${allowed.join(' or ')} here.${hint}`;
  sendProblem(new ServiceError('method_not_allowed', detail), request, reply, format);
}

/** Without the query. */
export function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? '';
}
