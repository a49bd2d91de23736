/** Promises about bodies and queries that are refused: which code, which member is named, and that nothing is judged. */
import { describe, expect, it } from 'vitest';
import { MOST_BYTES_AT_ONCE } from '../../src/http/body/json-body.js';
import { MAX_BODY_BYTES } from '../../src/http/routes/schemas.js';
import { createFakeAnalyzer } from '../support/fake-analyzer.js';
import { createHttpService } from '../support/http-service.js';
import { expectProblem } from '../support/problem.js';

const deep = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

describe('a body that is not JSON', () => {
  it.each([
    ['is empty', ''],
    ['is cut off', '{"content":"Good mor'],
    ['is followed by more', '{"content":"hi"}{"content":"hi"}'],
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

  it.each([
    ['/v1/analyze', ' with "content"'],
    ['/v1/analyze/batch', ' with "items"'],
    ['/v1/guardrails/dify', ' with "point"'],
    ['/dashboard/api/session', ' with "password"'],
    ['/dashboard/api/invitations/accept', ' with "token", "password"'],
  ])('is told what %s takes where it is empty', async (url, members) => {
    const { app, key } = await createHttpService({ dashboard: {} });
    for (const [payload, type] of [
      ['', {}],
      ['', { 'content-type': 'application/json' }],
      [' '.repeat(100), { 'content-type': 'application/json' }],
    ] as const) {
      const headers = { 'x-api-key': key, ...type };
      const { body } = await app.inject({ method: 'POST', url, headers, payload });
      expect(body).toContain(JSON.stringify(`The body is empty; send a JSON object${members}.`).slice(1, -1));
    }
  });
});

describe('a body of another shape', () => {
  it.each([
    ['null', null, ''],
    ['an array', [{ content: 'hi' }], ''],
    ['a string', '"hi"', ''],
    ['an object without content', {}, 'content'],
    ['content as a number', { content: 7 }, 'content'],
    ['content as an object', { content: { length: 3 } }, 'content'],
    ['empty content', { content: '' }, 'content'],
    ['metadata null', { content: 'hi', metadata: null }, 'metadata'],
    ['metadata as an array', { content: 'hi', metadata: [] }, 'metadata'],
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

  it.each(['text', 'input', 'message', 'comment', 'body'])(
    'tells who calls the text "%s" that the field is called content, also in a batch',
    async (name) => {
      const { analyze } = await createHttpService();
      const message = `is required: the field is called "content", not "${name}"`;
      const body = { [name]: 'PLANTED' };
      const alone = await analyze(body);
      expect(expectProblem(alone, 'invalid_body')).toMatchObject({
        detail: `content ${message}.`,
        errors: [{ path: 'content', message }],
      });
      const batch = await analyze({ items: [body] }, { url: '/v1/analyze/batch' });
      expect(batch.json()).toMatchObject({
        results: [{ problem: { status: 400, errors: [{ path: 'content', message }] } }],
      });
      expect(alone.body + batch.body).not.toContain('PLANTED');
    },
  );

  it('repeats no name that the API does not know, which could be a text, and complains of no content that is there', async () => {
    const { analyze } = await createHttpService();
    for (const [body, message] of [
      ['{"PLANTED":"hi"}', 'is required'],
      ['{"__proto__":{"text":"hi"}}', 'is required'],
      ['{"content":7,"text":"hi"}', 'must be a string'],
      ['{"content":null,"text":"hi"}', 'must be a string'],
    ] as const) {
      expect(expectProblem(await analyze(body), 'invalid_body').errors).toEqual([{ path: 'content', message }]);
    }
    expect((await analyze({ content: 'hi', text: 'ho' })).statusCode).toBe(200);
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

describe('a body that names a member twice in one object', () => {
  it.each([
    ['content', '{"content":"hi","content":"ho"}'],
    ['content, once escaped', '{"content":"hi","\\u0063ontent":"ho"}'],
    ['metadata', '{"content":"hi","metadata":{},"metadata":{}}'],
    ['a member of metadata', '{"content":"hi","metadata":{"a":[{"b":1,"b":1}]}}'],
    ['an unknown member', '{"content":"hi","x":1,"x":{"__proto__":1}}'],
    ['__proto__', '{"content":"hi","__proto__":1,"__proto__":1}'],
  ])('is refused, since nobody could say which of them is meant: %s', async (_what, body) => {
    const analyzer = createFakeAnalyzer();
    const { analyze } = await createHttpService({ analyzer });
    const { errors } = expectProblem(await analyze(body), 'invalid_body');
    expect(errors).toEqual([{ path: '', message: 'has two members of one name in an object: send each once' }]);
    expect(analyzer.texts).toEqual([]);
  });

  it('is refused where V8 would take an escaped name for one it met before', async () => {
    const met: unknown = JSON.parse('{"content":"hi","\\\\u0063o":"ho"}');
    const { analyze } = await createHttpService();
    expectProblem(await analyze('{"content":"hi","\\u0063ontent":"ho"}'), 'invalid_body');
    // Kept until here: V8 forgets names that no object has any more.
    expect(met).toBeDefined();
  });

  it.each([
    ['in objects of their own', '{"content":"hi","metadata":{"a":{"b":1},"c":{"b":1}},"b":[{"b":1},{"b":1}]}'],
    ['within strings', '{"content":"\\"content\\": \\\\","metadata":{"a":"{\\"a\\":1,\\"a\\":1}"}}'],
    ['that are dropped', '{"content":"hi","__proto__":{"a":1},"metadata":{"constructor":{"prototype":1}}}'],
  ])('is not taken for one that has equal names %s', async (_where, body) => {
    const { analyze } = await createHttpService();
    expect((await analyze(body)).statusCode).toBe(200);
  });

  it('is refused on the other routes in their words', async () => {
    const { app, key } = await createHttpService();
    const headers = { 'x-api-key': key, authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    for (const [url, payload] of [
      ['/v1/analyze/batch', '{"items":[{"content":"hi","content":"ho"}]}'],
      ['/v1/moderations', '{"input":"hi","input":"ho"}'],
      ['/v1alpha1/comments:analyze', '{"comment":{"text":"hi","text":"ho"},"requestedAttributes":{"TOXICITY":{}}}'],
    ] as const) {
      const answer = await app.inject({ method: 'POST', url, headers, payload });
      expect([answer.statusCode, answer.body.includes('two members of one name')]).toEqual([400, true]);
    }
  });
});

describe('a query that is not valid', () => {
  it.each([
    'details=yes',
    'details',
    'details=',
    'details=TRUE',
    'details=2',
    'details=true&details=true',
    'details=1&details=1',
  ])('is refused with the name of the parameter: ?%s', async (query) => {
    const { analyze } = await createHttpService();
    const answer = await analyze({ content: 'hi' }, { url: `/v1/analyze?${query}` });
    expect(expectProblem(answer, 'invalid_query').errors?.map((error) => error.path)).toEqual(['details']);
  });
});

describe('a body that is too large', () => {
  it('is taken up to the very last byte', async () => {
    const { analyze } = await createHttpService();
    const body = '{"content":"hi"}'.padEnd(MAX_BODY_BYTES);
    expect((await analyze(body)).statusCode).toBe(200);
    expectProblem(await analyze(body + ' '), 'body_too_large');
  });
});

describe('a large body, which another thread reads', () => {
  const large = (body: string): string => body.padEnd(MOST_BYTES_AT_ONCE + 1);

  it.each([
    ['/v1/analyze', '{"content":"Good mor'],
    ['/v1/analyze', '{"content":7,"metadata":"x"}'],
    ['/v1/analyze', '{"text":"hi"}'],
    ['/v1/analyze', '{"content":"hi","\\u0063ontent":"ho"}'],
    ['/v1/analyze', `{"content":"${'a'.repeat(10_001)}"}`],
    ['/v1/analyze', '{"content":"hi","__proto__":{"content":7},"metadata":{"\\u0061":1}}'],
    ['/v1/analyze/batch', '{"items":[]}'],
    ['/v1/analyze/batch', '{"items":[{"content":"hi","id":"a"},{"id":"b"},7,{"content":"","id":7}]}'],
    ['/v1/moderations', '{"input":[7]}'],
    ['/v1/moderations', '{"input":["hi","ho"]}'],
    ['/v1alpha1/comments:analyze', '{"comment":7,"requestedAttributes":{"TOXICITY":{}}}'],
    ['/v1alpha1/comments:analyze', '{"comment":{"text":"hi"},"requestedAttributes":{"TOXICITY":{}}}'],
  ])('at %s gets the answer that a small one gets: %s', async (url, body) => {
    const { analyze } = await createHttpService();
    const headers = { 'x-request-id': 'one' };
    const told = async (payload: string): Promise<unknown[]> => {
      const answer = await analyze(payload, { url, headers });
      const same = answer.body.replace(/"(?:processingTimeMs":\d+|id":"modr-\w+")/g, '');
      return [answer.statusCode, same, answer.headers['content-type']];
    };
    expect(await told(large(body))).toEqual(await told(body));
  });

  it('is not read where it holds more values than a batch can have', async () => {
    const { analyze } = await createHttpService();
    const body = `{"items":[{"content":"hi","x":[${'1,'.repeat(1_200_000)}1]}]}`;
    const { errors } = expectProblem(await analyze(body, { url: '/v1/analyze/batch' }), 'invalid_body');
    expect(errors).toEqual([{ path: '', message: 'has more than 1200000 values' }]);
  });
});

describe('a body that breaks a rule very often', () => {
  it('is told of the first hundred places', async () => {
    const { app, key } = await createHttpService();
    const requestedAttributes = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`A${index}`, 7]));
    const answer = await app.inject({
      method: 'POST',
      url: '/v1alpha1/comments:analyze',
      headers: { 'x-api-key': key },
      payload: { comment: { text: 'hi' }, requestedAttributes },
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.body.match(/"field"/g)).toHaveLength(100);
  });
});

describe('a coding or character set that is not read', () => {
  it.each([
    [{ 'content-encoding': 'gzip' }, 'Content-Encoding'],
    [{ 'content-encoding': 'identity, br' }, 'Content-Encoding'],
    [{ 'content-encoding': 'x' }, 'Content-Encoding'],
    [{ 'content-type': 'application/json; charset=utf-16' }, 'UTF-8'],
    [{ 'content-type': 'application/json;charset="iso-8859-1"' }, 'UTF-8'],
    [{ 'content-type': 'application/json; charset=utf-8; charset=utf-7' }, 'UTF-8'],
  ])('is refused before the body is read: %j', async (headers, told) => {
    const analyzer = createFakeAnalyzer();
    const { analyze } = await createHttpService({ analyzer });
    const answer = await analyze('{', { headers });
    expect(expectProblem(answer, 'unsupported_media_type').detail).toContain(told);
    expect(answer.headers['accept-encoding']).toBe('identity');
    expect(analyzer.texts).toEqual([]);
  });

  it.each([
    { 'content-encoding': 'identity' },
    { 'content-encoding': 'Identity' },
    { 'content-type': 'application/json; charset=utf-8' },
    { 'content-type': 'application/json;charset="UTF-8"' },
    { 'content-type': 'application/json; charset=us-ascii' },
  ])('is not what %j names', async (headers) => {
    const { analyze } = await createHttpService();
    expect((await analyze({ content: 'hi' }, { headers })).statusCode).toBe(200);
  });

  it('is nothing that a request without a body could have', async () => {
    const { app } = await createHttpService();
    const headers = { 'content-encoding': 'gzip', 'content-type': 'text/html; charset=utf-16' };
    expect((await app.inject({ url: '/v1/health', headers })).statusCode).toBe(200);
  });
});

describe('another media type', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/problem+json',
    'application/json-seq',
    'text/json, application/json',
    '',
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
