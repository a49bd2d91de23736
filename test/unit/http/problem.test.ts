/** Promises of the mapping from whatever was thrown to the answer and the log line. */
import { Writable } from 'node:stream';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ERROR_TABLE, ServiceError, type ErrorCode } from '../../../src/errors.js';
import { problemOf, sendProblem } from '../../../src/http/problem.js';
import { problemResponse } from '../../../src/http/routes/schemas.js';

const line = z.object({ msg: z.string(), fault: z.object({ name: z.string(), stack: z.array(z.string()) }) });

/** What a caller gets, and what the log says, when a route throws `error`. */
async function answerTo(error: unknown) {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const app = Fastify({ logger: { level: 'error', stream } });
  app.get('/', (request, reply) => sendProblem(error, request, reply));
  const { headers, body } = await app.inject('/');
  return { headers, problem: problemResponse.parse(JSON.parse(body)), lines };
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

describe('what nobody expected', () => {
  it('is answered as our fault, and logged by name and place without its message', async () => {
    const error = new TypeError('PLANTED\n    at PLANTED (frame:1:1)');
    const { problem, lines } = await answerTo(error);
    expect(problem).toMatchObject({ code: 'internal_error', status: 500 });
    expect(problem.detail).toContain('requestId');
    expect(lines).toHaveLength(1);
    const { msg, fault } = line.parse(JSON.parse(lines[0] ?? ''));
    expect(msg).toBe('internal error');
    expect(fault.name).toBe('TypeError');
    expect(fault.stack[0]).toMatch(/^at .*problem\.test\.ts/);
    expect(lines[0]).not.toContain('PLANTED');
  });

  it('is not trusted where its stack does not hold its message', async () => {
    const error = Object.assign(new Error('another'), { stack: 'Error: PLANTED\n    at PLANTED (frame:1:1)' });
    const { lines } = await answerTo(error);
    expect(line.parse(JSON.parse(lines[0] ?? '')).fault).toEqual({ name: 'Error', stack: [] });
  });

  it.each([
    ['a string', 'string'],
    [undefined, 'undefined'],
    [{ statusCode: 400 }, 'object'],
  ])('may be %j: then its type is all that is logged', async (thrown, name) => {
    const { problem, lines } = await answerTo(thrown);
    expect(problem.code).toBe('internal_error');
    expect(line.parse(JSON.parse(lines[0] ?? '')).fault).toEqual({ name, stack: [] });
  });
});

/** RFC 9110, section 11.6.1: every 401 says how to authenticate. */
const CHALLENGES: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'ApiKey realm="parapet", Bearer realm="parapet"',
  sign_in_required: 'Session realm="parapet dashboard"',
  wrong_password: 'Session realm="parapet dashboard"',
};

describe('an error of ours', () => {
  it.each(Object.keys(ERROR_TABLE) as ErrorCode[])('%s keeps its code, status, title and detail', async (code) => {
    const { problem, headers } = await answerTo(new ServiceError(code, 'What to do.'));
    const { status, title } = ERROR_TABLE[code];
    expect(problem).toEqual({
      type: `urn:parapet:problem:${code}`,
      title,
      status,
      detail: 'What to do.',
      code,
      requestId: problem.requestId,
    });
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(headers['retry-after']).toBeUndefined();
    expect(headers['www-authenticate']).toBe(CHALLENGES[code]);
    expect(headers.connection).toBe(code === 'shutting_down' ? 'close' : 'keep-alive');
  });

  it('says when to try again, also at once', async () => {
    const { headers } = await answerTo(new ServiceError('queue_full', 'Wait.', { retryAfterSeconds: 0 }));
    expect(headers['retry-after']).toBe('0');
  });

  it('lists the fields that are wrong, in a copy', () => {
    const errors = [{ path: 'content', message: 'is missing' }];
    const problem = problemOf(new ServiceError('invalid_body', 'Mend it.', { errors }), 'id');
    expect(problem.errors).toEqual(errors);
    expect(problem.errors).not.toBe(errors);
    expect(problem.requestId).toBe('id');
  });

  it('keeps its cause for the log, and reads well there', () => {
    const cause = new Error('why');
    const error = new ServiceError('model_not_ready', 'Wait.', { cause });
    expect(error.cause).toBe(cause);
    expect(error.message).toBe('model_not_ready: Wait.');
    expect(error.name).toBe('ServiceError');
    expect('cause' in new ServiceError('model_not_ready', 'Wait.')).toBe(false);
  });
});
