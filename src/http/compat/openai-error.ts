/** Words errors as OpenAI's API does: https://platform.openai.com/docs/guides/error-codes */
import { ServiceError, type ErrorCode } from '../../errors.js';
import type { ErrorFormat } from '../problem.js';

/** An error that belongs to one parameter, with a code of its own. */
export class OpenAiError extends ServiceError {
  constructor(
    detail: string,
    readonly param: string,
    readonly openAiCode: string,
  ) {
    super('invalid_body', detail, { errors: [{ path: param, message: detail }] });
  }
}

/** Codes that programs look for. Elsewhere the code is our own: OpenAI mostly gives none. */
const CODES: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'invalid_api_key',
  rate_limited: 'rate_limit_exceeded',
  too_many_failures: 'rate_limit_exceeded',
};

export const OPENAI_ERRORS: ErrorFormat = {
  contentType: 'application/json; charset=utf-8',
  challenge: 'Bearer realm="parapet"',
  bodyOf(error) {
    return {
      error: {
        message: error.detail,
        type: typeOf(error.status),
        param: error.errors?.[0]?.path ?? null,
        code: error instanceof OpenAiError ? error.openAiCode : (CODES[error.code] ?? error.code),
      },
    };
  },
};

function typeOf(status: number): string {
  if (status === 429) return 'requests';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}
