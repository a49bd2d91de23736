/** Turns whatever went wrong into problem details (RFC 9457). The one place that maps errors to HTTP answers. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ERROR_TABLE, ServiceError, type ErrorCode } from '../errors.js';
import { MAX_BODY_BYTES, type Problem } from './schemas.js';

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

/** What Fastify throws by itself, before our code sees the request: https://fastify.dev/docs/latest/Reference/Errors/ */
const FRAMEWORK_ERRORS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['body_too_large', `Send a body of at most ${MAX_BODY_BYTES} bytes.`],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Send the body as Content-Type: application/json.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_request', 'The Content-Length header does not match the body.'],
  FST_ERR_BAD_URL: ['bad_request', 'The address is not a valid URL path.'],
  FST_ERR_ASYNC_CONSTRAINT: ['bad_request', 'The request is not valid.'],
};

/** A 401 names a scheme (RFC 9110, section 15.5.2); this one is of no browser's knowledge, so none opens a dialog of its own. */
const SESSION_CODES: ReadonlySet<string> = new Set<ErrorCode>(['sign_in_required', 'wrong_password']);

const NOTHING_HERE = 'Nothing answers at this path. The API is described at /docs.';

/** 4xx of foreign errors: Fastify marks an upload that broke off so, and the files of /docs a path or header that they refuse. */
function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = FRAMEWORK_ERRORS[code];
  if (known !== undefined) return new ServiceError(known[0], known[1], { cause: error });
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status === 403 || status === 404) return new ServiceError('not_found', NOTHING_HERE, { cause: error });
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

export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = toServiceError(error);
  if (problem.status === 500) {
    request.log.error({ fault: faultOf(problem.cause) }, 'internal error');
  }
  if (problem.retryAfterSeconds !== undefined) void reply.header('retry-after', String(problem.retryAfterSeconds));
  if (problem.code === 'unauthorized') void reply.header('www-authenticate', 'ApiKey realm="parapet"');
  if (SESSION_CODES.has(problem.code)) void reply.header('www-authenticate', 'Session realm="parapet dashboard"');
  if (problem.code === 'shutting_down') void reply.header('connection', 'close');
  void reply
    .code(problem.status)
    .type(PROBLEM_TYPE)
    .send(JSON.stringify(problemOf(problem, request.id)));
}

/** Name and stack without the message: messages of foreign errors can quote their input. */
function faultOf(cause: unknown): { name: string; stack: string[] } {
  if (!(cause instanceof Error)) return { name: typeof cause, stack: [] };
  const { name, message, stack = '' } = cause;
  // A message may have several lines, and lines that look like frames: what does not follow the message is not trusted.
  const at = stack.indexOf(message);
  const frames = at === -1 ? [] : stack.slice(at + message.length).split('\n');
  return { name, stack: frames.map((line) => line.trim()).filter((line) => line.startsWith('at ')) };
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** 405 with `Allow` where the path exists under another method (RFC 9110, section 15.5.6), else 404. */
export function sendNotFound(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): void {
  const allowed = METHODS.filter((method) => {
    // Its type leaves out the null.
    const route: unknown = app.findRoute({ method, url: request.url });
    return route !== null;
  });
  // The method itself is among them where a route, such as that of the files of /docs, has looked and found nothing.
  if (allowed.length === 0 || allowed.includes(request.method)) {
    sendProblem(new ServiceError('not_found', NOTHING_HERE), request, reply);
    return;
  }
  void reply.header('allow', allowed.join(', '));
  sendProblem(new ServiceError('method_not_allowed', `Use ${allowed.join(' or ')} here.`), request, reply);
}
