/** Words errors as Google's APIs do (google.rpc.Status as JSON, https://google.aip.dev/193), and names those that Perspective has. */
import { ServiceError } from '../../errors.js';
import type { ErrorFormat } from '../problem.js';

/** Perspective's own kinds of error in a request. */
export type PerspectiveErrorType =
  | 'COMMENT_EMPTY'
  | 'COMMENT_TOO_LONG'
  | 'NO_REQUESTED_ATTRIBUTES'
  | 'LANGUAGE_NOT_SUPPORTED_BY_ATTRIBUTE'
  | 'INVALID_REQUEST';

export class PerspectiveError extends ServiceError {
  /** @param more members beside `errorType` in the first of `details` */
  constructor(
    readonly errorType: PerspectiveErrorType,
    message: string,
    readonly more: object = {},
  ) {
    super('invalid_body', message);
  }
}

const TYPE = 'type.googleapis.com/';

/** Names of google.rpc.Code, where one stands for the status. */
const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  408: 'DEADLINE_EXCEEDED',
  413: 'INVALID_ARGUMENT',
  415: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

const REASONS: Readonly<Record<number, string>> = { 401: 'API_KEY_INVALID', 429: 'RATE_LIMIT_EXCEEDED' };

export const PERSPECTIVE_ERRORS: ErrorFormat = {
  contentType: 'application/json; charset=utf-8',
  bodyOf(error, requestId) {
    return {
      error: {
        code: error.status,
        message: error.detail,
        status: STATUS_NAMES[error.status] ?? 'UNKNOWN',
        details: [...detailsOf(error), { '@type': `${TYPE}google.rpc.RequestInfo`, requestId }],
      },
    };
  },
};

/** Perspective's own detail first: its clients look there. */
function detailsOf(error: ServiceError): object[] {
  const details: object[] = [];
  if (error.code === 'invalid_body') {
    const { errorType, more } =
      error instanceof PerspectiveError ? error : { errorType: 'INVALID_REQUEST' as const, more: {} };
    details.push({ '@type': `${TYPE}google.commentanalyzer.v1alpha1.Error`, errorType, ...more });
  }
  if (error.errors !== undefined) {
    const fieldViolations = error.errors.map(({ path, message }) => ({ field: path, description: message }));
    details.push({ '@type': `${TYPE}google.rpc.BadRequest`, fieldViolations });
  }
  const reason = REASONS[error.status];
  if (reason !== undefined) details.push({ '@type': `${TYPE}google.rpc.ErrorInfo`, reason, domain: 'parapet' });
  if (error.retryAfterSeconds !== undefined) {
    details.push({ '@type': `${TYPE}google.rpc.RetryInfo`, retryDelay: `${error.retryAfterSeconds}s` });
  }
  return details;
}
