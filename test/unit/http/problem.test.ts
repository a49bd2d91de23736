/** Promises of the mapping from whatever was thrown to the answer and the log line. */
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { ERROR_TABLE, type ErrorCode } from '../../../src/errors.js';
import { sendProblem } from '../../../src/http/problem.js';
import { problemResponse } from '../../../src/http/routes/schemas.js';
import { collectingStream } from '../../support/command-outcome.js';

/** What a caller gets, and what the log says, when a route throws `error`. */
async function answerTo(error: unknown) {
  const { stream, lines } = collectingStream();
  const app = Fastify({ logger: { level: 'error', stream } });
  app.get('/', (request, reply) => sendProblem(error, request, reply));
  const { body } = await app.inject('/');
  return { problem: problemResponse.parse(JSON.parse(body)), lines };
}

function foreignError(members: object, message = 'quotes PLANTED input'): Error {
  return Object.assign(new Error(message), members);
}

describe('what Fastify throws', () => {
  it.each<[string, ErrorCode, string]>([
    ['FST_ERR_CTP_BODY_TOO_LARGE', 'body_too_large', 'bytes'],
    ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'unsupported_media_type', 'application/json'],
    ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'bad_request', 'Content-Length'],
    ['FST_ERR_BAD_URL', 'bad_request', 'URL path'],
    ['FST_ERR_ASYNC_CONSTRAINT', 'bad_request', 'not valid'],
  ])('%s becomes %s, with a hint', async (code, expected, hint) => {
    const { problem, lines } = await answerTo(foreignError({ code, statusCode: 418 }));
    expect(problem).toMatchObject({ code: expected, status: ERROR_TABLE[expected].status });
    expect(problem.detail).toContain(hint);
    expect(lines).toEqual([]);
  });

  it.each<[number, ErrorCode]>([
    [399, 'internal_error'],
    [400, 'bad_request'],
    [402, 'bad_request'],
    [404, 'bad_request'],
    [405, 'bad_request'],
    [499, 'bad_request'],
    [500, 'internal_error'],
    [503, 'internal_error'],
  ])('with status %i becomes %s, without its message', async (statusCode, expected) => {
    const { problem } = await answerTo(foreignError({ statusCode }));
    expect(problem.code).toBe(expected);
    expect(problem.detail).not.toBe('');
    expect(JSON.stringify(problem)).not.toContain('PLANTED');
  });
});
