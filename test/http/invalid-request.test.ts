/** Promises about bodies and queries that are refused: which code, which member is named, and that nothing is judged. */
import { describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from '../../src/http/schemas.js';
import { createFakeAnalyzer } from '../support/fake-analyzer.js';
import { createHttpService } from '../support/http-service.js';
import { expectProblem } from '../support/problem.js';

const deep = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

describe('a body that is not JSON', () => {
  it.each([
    ['is empty', ''],
    ['is white space', ' \n'],
    ['is cut off', '{"content":"Good mor'],
    ['is followed by more', '{"content":"hi"}{"content":"hi"}'],
    ['has a comment', '{"content":"hi"} // hi'],
    ['has single quotes', "{'content':'hi'}"],
    ['is a form', 'content=hi'],
    ['holds NaN', '{"content":NaN}'],
    ['holds a raw control character', '{"content":"a\u0000b"}'],
    ['is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ['is UTF-8 that is cut off within a character', Buffer.from('{"content":"é').subarray(0, -1)],
    ['is an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['holds a raw surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['is UTF-16', Buffer.from('{"content":"hi"}', 'utf16le')],
  ])('is malformed_json when it %s', async (_how, body) => {
    const analyzer = createFakeAnalyzer();
    const { analyze } = await createHttpService({ analyzer });
    expectProblem(await analyze(body), 'malformed_json');
    expect(analyzer.texts).toEqual([]);
  });

  it('is malformed_json when there is none at all, whatever the headers say', async () => {
    const { app, key } = await createHttpService();
    const request = { method: 'POST', url: '/v1/analyze' } as const;
    expectProblem(await app.inject({ ...request, headers: { 'x-api-key': key } }), 'malformed_json');
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    expectProblem(await app.inject({ ...request, headers }), 'malformed_json');
  });
});

describe('a body of another shape', () => {
  it.each([
    ['null', null, ''],
    ['an array', [{ content: 'hi' }], ''],
    ['a string', '"hi"', ''],
    ['a number', 7, ''],
    ['true', true, ''],
    ['an object without content', {}, 'content'],
    ['content null', { content: null }, 'content'],
    ['content as a number', { content: 7 }, 'content'],
    ['content as an array', { content: ['hi'] }, 'content'],
    ['content as an object', { content: { length: 3 } }, 'content'],
    ['empty content', { content: '' }, 'content'],
    ['metadata null', { content: 'hi', metadata: null }, 'metadata'],
    ['metadata as an array', { content: 'hi', metadata: [] }, 'metadata'],
    ['metadata as a string', { content: 'hi', metadata: 'x' }, 'metadata'],
    ['metadata as a number', { content: 'hi', metadata: 1 }, 'metadata'],
    ['metadata of 16,385 characters', { content: 'hi', metadata: { a: 'x'.repeat(16_377) } }, 'metadata'],
    ['metadata nested 20,000 levels deep', `{"content":"hi","metadata":${deep(20_000)}}`, 'metadata'],
    ['content that only a prototype has', '{"__proto__":{"content":"hi"}}', 'content'],
  ])('is invalid_body that names the place: %s', async (_what, body, path) => {
    const analyzer = createFakeAnalyzer();
    const { analyze } = await createHttpService({ analyzer });
    const { errors } = expectProblem(await analyze(body), 'invalid_body');
    expect(errors?.map((error) => error.path)).toEqual([path]);
    expect(analyzer.texts).toEqual([]);
  });

  it('names every place at once', async () => {
    const { analyze } = await createHttpService();
    const { errors } = expectProblem(await analyze({ content: 7, metadata: 'x' }), 'invalid_body');
    expect(errors?.map((error) => error.path)).toEqual(['content', 'metadata']);
  });

  it.each([
    ['arrays', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['arrays in content', `{"content":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['arrays in metadata', `{"content":"hi","metadata":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`],
    ['objects in an unknown member', `{"content":7,"other":${deep(40_000)}}`],
  ])('is no fault of ours when it nests %s 40,000 to 100,000 levels deep', async (_what, body) => {
    const { analyze } = await createHttpService();
    expectProblem(await analyze(body), 'invalid_body');
  });
});

describe('content that is too long', () => {
  it.each([
    ['10,001 letters', 'a'.repeat(10_001)],
    ['10,001 emoji', '😀'.repeat(10_001)],
    ['9,999 emoji and 2 letters', '😀'.repeat(9_999) + 'ab'],
    ['10,001 halves of surrogate pairs', '\ude00'.repeat(10_001)],
    ['more letters than any text has characters', 'a'.repeat(200_000)],
  ])('is refused whole: %s', async (_what, content) => {
    const analyzer = createFakeAnalyzer();
    const { analyze } = await createHttpService({ analyzer });
    const { errors } = expectProblem(await analyze({ content }), 'content_too_long');
    expect(errors?.map((error) => error.path)).toEqual(['content']);
    expect(analyzer.texts).toEqual([]);
  });
});

describe('a query that is not valid', () => {
  it.each(['details=yes', 'details', 'details=', 'details=TRUE', 'details=1', 'details=true&details=true'])(
    'is refused with the name of the parameter: ?%s',
    async (query) => {
      const { analyze } = await createHttpService();
      const answer = await analyze({ content: 'hi' }, { url: `/v1/analyze?${query}` });
      expect(expectProblem(answer, 'invalid_query').errors?.map((error) => error.path)).toEqual(['details']);
    },
  );
});

describe('a body that is too large', () => {
  it('is taken up to the very last byte', async () => {
    const { analyze } = await createHttpService();
    const body = '{"content":"hi"}'.padEnd(MAX_BODY_BYTES);
    expect((await analyze(body)).statusCode).toBe(200);
    expectProblem(await analyze(body + ' '), 'body_too_large');
  });
});

describe('another media type', () => {
  it.each([
    'text/plain',
    'text/plain; charset=utf-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/problem+json',
    'application/jsonp',
    'application/json-seq',
    'text/json, application/json',
    'json',
    '',
    ';',
    '__proto__',
  ])('is refused: %j', async (type) => {
    const { analyze } = await createHttpService();
    expectProblem(await analyze({ content: 'hi' }, { headers: { 'content-type': type } }), 'unsupported_media_type');
  });

  it('is refused when the header is missing', async () => {
    const { app, key } = await createHttpService();
    const payload = Buffer.from('{"content":"hi"}');
    const answer = await app.inject({ method: 'POST', url: '/v1/analyze', payload, headers: { 'x-api-key': key } });
    expectProblem(answer, 'unsupported_media_type');
  });
});
