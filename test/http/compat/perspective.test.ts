/** Promises of /v1alpha1/comments: the Perspective API's shapes, on our keys and our analyzer. */
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { describe, expect, it } from 'vitest';
import {
  analyzeCommentResponse,
  perspectiveErrorResponse,
  suggestScoreResponse,
  type AnalyzeCommentResponse,
} from '../../../src/http/compat/perspective-schemas.js';
import {
  createFailingAnalyzer,
  createFakeAnalyzer,
  HARMLESS,
  queueFull,
  RUSSIAN,
  UNREAD,
} from '../../support/fake-analyzer.js';
import { createHttpService, type HttpService, type HttpServiceOptions } from '../../support/http-service.js';
import { probabilitiesOf } from '../../support/models/probabilities.js';

const URL = '/v1alpha1/comments:analyze';
const SUGGEST = '/v1alpha1/comments:suggestscore';
const COMMENT = { comment: { text: 'You are foolish.' }, requestedAttributes: { TOXICITY: {} } };

function call(service: HttpService, body: unknown, request: InjectOptions = {}): Promise<LightMyRequestResponse> {
  const { headers, ...rest } = request;
  return service.app.inject({
    method: 'POST',
    url: `${URL}?key=${service.key}`,
    payload: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
    ...rest,
  });
}

/** Longer texts have higher probabilities, so that a mixed-up answer would show. */
const analyzer = () =>
  createFakeAnalyzer(
    () => HARMLESS,
    (text) => probabilitiesOf({ toxicity: text.length / 100, obscene: 0.5, identity_attack: 0.25 }, 0.01),
  );
const judging = (options: HttpServiceOptions = {}) => createHttpService({ analyzer: analyzer(), ...options });

async function answerTo(body: unknown): Promise<AnalyzeCommentResponse> {
  const answer = await call(await judging(), body);
  const parsed = analyzeCommentResponse.parse(answer.json());
  expect(parsed).toEqual(answer.json());
  return parsed;
}

interface Detail {
  '@type': string;
  errorType?: string;
  reason?: string;
  languageNotSupportedByAttributeError?: object;
}

/** Every error of these routes has exactly this shape. @returns its message and details */
function expectError(
  answer: LightMyRequestResponse,
  code: number,
  status: string,
): { message: string; details: Detail[] } {
  expect(answer.statusCode).toBe(code);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const { error } = perspectiveErrorResponse.parse(answer.json());
  expect(answer.json()).toEqual({ error });
  expect(error).toMatchObject({ code, status });
  expect(error.details.at(-1)).toEqual({
    '@type': 'type.googleapis.com/google.rpc.RequestInfo',
    requestId: answer.headers['x-request-id'],
  });
  if (code === 429 || code === 503) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  return { message: error.message, details: error.details };
}

async function expectRefusal(body: unknown, errorType: string, message: string | RegExp): Promise<Detail | undefined> {
  const error = expectError(await call(await judging(), body), 400, 'INVALID_ARGUMENT');
  expect(error.message).toMatch(message);
  expect(error.details[0]).toMatchObject({
    '@type': 'type.googleapis.com/google.commentanalyzer.v1alpha1.Error',
    errorType,
  });
  return error.details[0];
}

describe('POST /v1alpha1/comments:analyze', () => {
  it('scores the requested attributes and no others', async () => {
    const requestedAttributes = { TOXICITY: {}, PROFANITY: { scoreType: 'PROBABILITY' }, IDENTITY_ATTACK: null };
    const { attributeScores, languages, detectedLanguages } = await answerTo({ ...COMMENT, requestedAttributes });
    expect(Object.entries(attributeScores).map(([name, { summaryScore }]) => [name, summaryScore])).toEqual([
      ['TOXICITY', { value: 0.16, type: 'PROBABILITY' }],
      ['PROFANITY', { value: 0.5, type: 'PROBABILITY' }],
      ['IDENTITY_ATTACK', { value: 0.25, type: 'PROBABILITY' }],
    ]);
    expect(languages).toEqual(['en']);
    expect(detectedLanguages).toEqual(['en']);
  });

  it.each(['SEVERE_TOXICITY', 'INSULT', 'THREAT', 'SEXUALLY_EXPLICIT', 'SPAM'])('knows %s', async (name) => {
    const { attributeScores } = await answerTo({ ...COMMENT, requestedAttributes: { [name]: {} } });
    expect(attributeScores[name]?.summaryScore.value).toBe(0.01);
  });

  it('leaves out what is below scoreThreshold', async () => {
    const requestedAttributes = { TOXICITY: { scoreThreshold: 0.17 }, PROFANITY: { scoreThreshold: 0.5 } };
    const { attributeScores } = await answerTo({ ...COMMENT, requestedAttributes });
    expect(Object.keys(attributeScores)).toEqual(['PROFANITY']);
  });

  it('gives one span for the whole text, and one for each sentence with spanAnnotations', async () => {
    const text = 'Hello there. 😀 You are rude!';
    const whole = await answerTo({ ...COMMENT, comment: { text } });
    const score = (value: number): object => ({ value, type: 'PROBABILITY' });
    expect(whole.attributeScores.TOXICITY?.spanScores).toEqual([{ begin: 0, end: 29, score: score(0.29) }]);
    const { attributeScores } = await answerTo({ ...COMMENT, comment: { text }, spanAnnotations: true });
    expect(attributeScores.TOXICITY?.summaryScore).toEqual(score(0.29));
    expect(attributeScores.TOXICITY?.spanScores).toEqual([
      { begin: 0, end: 12, score: score(0.12) },
      { begin: 13, end: 29, score: score(0.16) },
    ]);
  });

  it('mirrors clientToken, and takes all that clients send beside it', async () => {
    const more = { doNotStore: true, sessionId: 's', communityId: 'c', context: { entries: [{ text: 'before' }] } };
    const nulls = { spanAnnotations: null, languages: null };
    expect((await answerTo({ ...COMMENT, ...more, ...nulls, clientToken: 'x-1' })).clientToken).toBe('x-1');
    expect(await answerTo(COMMENT)).not.toHaveProperty('clientToken');
  });

  it('takes English by any of its tags, and says which of the languages it judged', async () => {
    expect((await answerTo({ ...COMMENT, languages: ['fr', 'en-GB'] })).languages).toEqual(['en-GB']);
    expect((await answerTo({ ...COMMENT, languages: [] })).languages).toEqual(['en']);
  });

  describe('of a model of several languages', () => {
    const answerIn = async (tag: string, languages?: readonly string[]): Promise<LightMyRequestResponse> => {
      const probabilities = () => ({ ...probabilitiesOf({}, 0.5), language: { tag, probability: 0.9 } });
      const known = { languages: ['en', 'pt-BR', 'hi', 'hi-Latn'] };
      const service = await createHttpService({ analyzer: createFakeAnalyzer(() => HARMLESS, probabilities, known) });
      return call(service, { ...COMMENT, languages });
    };

    it.each([
      ['hi', undefined, ['hi'], ['hi']],
      ['hi', ['en', 'fr'], ['en'], ['hi']],
      ['hi-Latn', ['pt_br', 'hi-latn'], ['pt_br', 'hi-latn'], ['hi-Latn']],
      ['other', undefined, ['und'], ['und']],
    ])('detects %s, and judges by the languages %j', async (tag, asked, languages, detectedLanguages) => {
      expect((await answerIn(tag, asked)).json()).toMatchObject({ languages, detectedLanguages });
    });
  });

  it('refuses other languages by the word of the caller', async () => {
    const asked = await expectRefusal(
      { ...COMMENT, languages: ['fr', 'de'] },
      'LANGUAGE_NOT_SUPPORTED_BY_ATTRIBUTE',
      /^Attribute TOXICITY does not support request languages: fr, de$/,
    );
    expect(asked?.languageNotSupportedByAttributeError).toEqual({
      attribute: 'TOXICITY',
      requestedLanguages: ['fr', 'de'],
    });
  });

  it.each([
    ['Cyrl', RUSSIAN],
    ['Hani', '非常感谢，这真是太好了'],
    ['Arab', 'شكرا جزيلا، كان هذا رائعا'],
    ['Deva', 'बहुत धन्यवाद, यह बहुत अच्छा था'],
  ])('refuses what could not be read, of script %s, whatever the caller or a setting says', async (script, text) => {
    for (const verdict of [UNREAD, { ...UNREAD, passed: true }]) {
      const service = await createHttpService({ analyzer: createFakeAnalyzer(() => verdict) });
      for (const languages of [undefined, ['en'], ['ru', 'en']]) {
        const answer = await call(service, { ...COMMENT, comment: { text }, languages });
        const { message, details } = expectError(answer, 400, 'INVALID_ARGUMENT');
        expect(message).toBe(`Attribute TOXICITY does not support request languages: und-${script}`);
        expect(details[0]).toEqual({
          '@type': 'type.googleapis.com/google.commentanalyzer.v1alpha1.Error',
          errorType: 'LANGUAGE_NOT_SUPPORTED_BY_ATTRIBUTE',
          languageNotSupportedByAttributeError: { attribute: 'TOXICITY', detectedLanguages: [`und-${script}`] },
        });
      }
    }
  });

  it('names no script where none of a language tag is known', async () => {
    const service = await createHttpService({ analyzer: createFakeAnalyzer(() => UNREAD) });
    const { message } = expectError(
      await call(service, { ...COMMENT, comment: { text: 'ᚦᚨᛏ' } }),
      400,
      'INVALID_ARGUMENT',
    );
    expect(message).toMatch(/: und$/);
  });

  const { requestedAttributes, comment } = COMMENT;
  it.each<[object, string, RegExp]>([
    [{ requestedAttributes, comment: { text: '' } }, 'COMMENT_EMPTY', /^Comment must be non-empty\.$/],
    [{ requestedAttributes }, 'COMMENT_EMPTY', /non-empty/],
    [{ requestedAttributes, comment: { text: 'x'.repeat(10_001) } }, 'COMMENT_TOO_LONG', /^Comment text too long/],
    [{ comment }, 'NO_REQUESTED_ATTRIBUTES', /^Missing requested_attributes$/],
    [{ comment, requestedAttributes: {} }, 'NO_REQUESTED_ATTRIBUTES', /Missing/],
    [
      { comment, requestedAttributes: { TOXICITY: {}, MORAL_OUTRAGE_EXPERIMENTAL: {} } },
      'INVALID_REQUEST',
      /^Requested attribute is known but not served here: MORAL_OUTRAGE_EXPERIMENTAL\./,
    ],
    [
      { comment, requestedAttributes: { NO_SUCH_ATTRIBUTE: {} }, dropUnsupportedAttributes: true },
      'INVALID_REQUEST',
      /^Unknown requested attribute$/,
    ],
    [
      { comment, requestedAttributes: { TOXICITY: { scoreType: 'RAW' } } },
      'INVALID_REQUEST',
      /RAW is not supported by/,
    ],
    [{ ...COMMENT, comment: { ...comment, type: 'HTML' } }, 'INVALID_REQUEST', /only 'PLAIN_TEXT'/],
    [{ ...COMMENT, comment: { ...comment, type: 'MARKDOWN' } }, 'INVALID_REQUEST', /^Unknown text type$/],
    [{ ...COMMENT, context: { entries: [], articleAndParentComment: {} } }, 'INVALID_REQUEST', /both fields were/],
    [{ ...COMMENT, doNotStore: 'yes' }, 'INVALID_REQUEST', /doNotStore must be true or false/],
  ])("refuses what Perspective refuses, in Perspective's words: case %#", async (body, errorType, message) => {
    await expectRefusal(body, errorType, message);
  });

  it('repeats no attribute and no language that could be a text of the caller', async () => {
    const service = await judging();
    const secret = 'PLANTEDSECRET';
    for (const body of [
      { ...COMMENT, requestedAttributes: { [secret]: {} } },
      { ...COMMENT, requestedAttributes: { TOXICITY: { scoreType: secret } } },
      { ...COMMENT, languages: [secret] },
      { ...COMMENT, comment: { text: 'hi', type: secret } },
    ]) {
      const answer = await call(service, body);
      expectError(answer, 400, 'INVALID_ARGUMENT');
      expect(answer.body + service.log()).not.toContain(secret);
    }
  });

  it('takes the key in the query or a header, and nowhere else', async () => {
    const service = await judging();
    const { key } = service;
    expect((await call(service, COMMENT)).statusCode).toBe(200);
    for (const headers of [{ 'x-api-key': key }, { 'x-goog-api-key': key }, { authorization: `Bearer ${key}` }]) {
      expect((await call(service, COMMENT, { url: URL, headers })).statusCode).toBe(200);
    }
    // As Google's libraries send a token of their own.
    const ofGoogle = { authorization: 'Bearer ya29.token' };
    expect((await call(service, COMMENT, { headers: ofGoogle })).statusCode).toBe(200);
    for (const request of [
      { url: URL },
      { url: `${URL}?key=${key}&key=${key}` },
      { url: `${URL}?key=${key}x` },
      { url: URL, headers: { authorization: `Basic ${key}` } },
      { url: `${URL}?key=${key}`, headers: { authorization: `Bearer ${(await service.createKey()).key}` } },
    ]) {
      const { message, details } = expectError(await call(service, COMMENT, request), 401, 'UNAUTHENTICATED');
      expect(message).toMatch(/^API key not valid\. Please pass a valid API key/);
      expect(details[0]).toMatchObject({ reason: 'API_KEY_INVALID' });
    }
  });

  it.each([
    ['FLIRTATION', 'REASONING_EXPERIMENTAL', 'CONSTRUCTIVE_EXPERIMENTAL', 'TOXICITY_EXPERIMENTAL'],
    ['ALIENATION_EXPERIMENTAL', 'POWER_APPEAL_EXPERIMENTAL', 'SCAPEGOATING_EXPERIMENTAL'],
  ])('leaves out what is not served where dropUnsupportedAttributes says so: %s', async (...names) => {
    const requested = Object.fromEntries([...names, 'TOXICITY'].map((name) => [name, {}]));
    const body = { comment, requestedAttributes: requested, dropUnsupportedAttributes: true };
    expect(Object.keys((await answerTo(body)).attributeScores)).toEqual(['TOXICITY']);
  });

  it('leaves out what the model has no label for, or refuses it by name', async () => {
    const probabilities = () => probabilitiesOf({}, 0.5);
    const withoutSpam = () => {
      const { labels, ...rest } = probabilities();
      return { ...rest, labels: new Map([...labels].filter(([label]) => label !== 'spam')) };
    };
    const service = await createHttpService({ analyzer: createFakeAnalyzer(() => HARMLESS, withoutSpam) });
    const body = { comment, requestedAttributes: { SPAM: {}, INSULT: {} } };
    expect(expectError(await call(service, body), 400, 'INVALID_ARGUMENT').message).toMatch(/not served here: SPAM/);
    const dropped = await call(service, { ...body, dropUnsupportedAttributes: true });
    expect(dropped.json()).toMatchObject({ attributeScores: { INSULT: {} } });
    expect(dropped.body).not.toContain('SPAM');
  });

  it('answers without scores where dropUnsupportedAttributes is set and the language is not supported', async () => {
    const dropping = { ...COMMENT, dropUnsupportedAttributes: true };
    expect(await answerTo({ ...dropping, languages: ['fr'] })).toEqual({
      attributeScores: {},
      languages: ['en'],
      detectedLanguages: ['en'],
    });
    const service = await createHttpService({ analyzer: createFakeAnalyzer(() => UNREAD) });
    const unread = await call(service, { ...dropping, comment: { text: RUSSIAN }, languages: ['en'] });
    expect(unread.json()).toEqual({ attributeScores: {}, languages: ['en'], detectedLanguages: ['und-Cyrl'] });
  });

  it("answers every other error in Google's shape too", async () => {
    const service = await judging({ rateLimitPerMinute: 100 });
    expectError(await call(service, '{'), 400, 'INVALID_ARGUMENT');
    expectError(await call(service, 'x', { headers: { 'content-type': 'text/plain' } }), 415, 'INVALID_ARGUMENT');
    expectError(await call(service, 'x'.repeat(300_000)), 413, 'INVALID_ARGUMENT');
    expectError(await call(service, '', { method: 'GET' }), 405, 'UNIMPLEMENTED');
    expectError(await call(service, COMMENT, { url: '/v1alpha1/comments:delete' }), 404, 'NOT_FOUND');
    expectError(await call(await judging({ analyzer: null }), COMMENT), 503, 'UNAVAILABLE');
    const full = await judging({ analyzer: createFailingAnalyzer(queueFull()) });
    expectError(await call(full, COMMENT), 503, 'UNAVAILABLE');
    const faulty = await judging({ analyzer: createFailingAnalyzer(new Error('a fault')) });
    expectError(await call(faulty, COMMENT), 500, 'INTERNAL');
    const limited = await judging({ rateLimitPerMinute: 1 });
    await call(limited, COMMENT);
    expect(expectError(await call(limited, COMMENT), 429, 'RESOURCE_EXHAUSTED').details[0]).toMatchObject({
      reason: 'RATE_LIMIT_EXCEEDED',
    });
  });
});

describe('POST /v1alpha1/comments:suggestscore', () => {
  const body = { ...COMMENT, attributeScores: { TOXICITY: { summaryScore: { value: 0 } } }, clientToken: 'x-2' };

  it('is answered, and nothing is judged or kept', async () => {
    const judged = analyzer();
    const service = await createHttpService({ analyzer: judged });
    const answer = await call(service, { ...body, languages: ['en'] }, { url: `${SUGGEST}?key=${service.key}` });
    expect(answer.statusCode).toBe(200);
    expect(suggestScoreResponse.parse(answer.json())).toEqual({
      clientToken: 'x-2',
      requestedLanguages: ['en'],
      detectedLanguages: ['en'],
    });
    expect(judged.texts).toEqual([]);
  });

  it('takes scores of passages, and of attributes that are not served', async () => {
    const service = await judging();
    const spanScores = [{ begin: 0, end: 3, score: { value: 1, type: 'PROBABILITY' } }];
    const attributeScores = { FLIRTATION: { spanScores }, AFFINITY_EXPERIMENTAL: { summaryScore: { value: 0.5 } } };
    const answer = await call(service, { ...body, attributeScores }, { url: `${SUGGEST}?key=${service.key}` });
    expect(answer.json()).toEqual({ clientToken: 'x-2', requestedLanguages: [], detectedLanguages: ['en'] });
  });

  it('names no language that nobody named, with a model of several', async () => {
    const languages = ['en', 'fr'];
    const judged = createFakeAnalyzer(() => HARMLESS, undefined, { languages });
    const service = await createHttpService({ analyzer: judged });
    const answer = await call(service, body, { url: `${SUGGEST}?key=${service.key}` });
    expect(answer.json()).toMatchObject({ requestedLanguages: [], detectedLanguages: ['und'] });
  });

  it('needs a key, a comment and scores', async () => {
    const service = await judging();
    const url = `${SUGGEST}?key=${service.key}`;
    const summaryScore = { value: 1 };
    expectError(await call(service, body, { url: SUGGEST }), 401, 'UNAUTHENTICATED');
    for (const wrong of [
      { comment: {} },
      { languages: ['tlh'] },
      { attributeScores: {} },
      { attributeScores: { TOXICITY: {} } },
      { attributeScores: { TOXICITY: { spanScores: [] } } },
      { attributeScores: { TOXICITY: { summaryScore: {} } } },
      { attributeScores: { TOXICITY: { summaryScore: { value: 2 } } } },
      { attributeScores: { TOXICITY: { summaryScore: { value: 1, type: 'RAW' } } } },
      { attributeScores: { TOXICITY: { spanScores: [{ score: summaryScore }] } } },
      { attributeScores: { NO_SUCH_ATTRIBUTE: { summaryScore } } },
    ]) {
      const answer = await call(service, { ...body, ...wrong }, { url });
      const { details } = expectError(answer, 400, 'INVALID_ARGUMENT');
      expect(details[0]).toHaveProperty('errorType');
      expect(answer.body).not.toContain('NO_SUCH_ATTRIBUTE');
    }
  });
});

describe('a key in the query', () => {
  it('reaches no log line, no metric and no answer', async () => {
    const service = await judging({ rateLimitPerMinute: 4 });
    const { key } = service;
    const seen: string[] = [];
    for (const [method, path] of [
      ['POST', URL],
      ['POST', SUGGEST],
      ['GET', URL],
      ['POST', '/v1alpha1/nothing'],
      ['POST', '/v1alpha1/%zz'],
      ['GET', '/$discovery/rest'],
      ['POST', '/v1/analyze'],
      ['POST', '/v1/moderations'],
      ['POST', URL],
      ['POST', URL],
    ] as const) {
      for (const payload of [JSON.stringify(COMMENT), '{', 'x'.repeat(300_000)]) {
        const answer = await call(service, payload, { method, url: `${path}?key=${key}&alt=json` });
        seen.push(JSON.stringify(answer.headers), answer.body);
      }
    }
    const everything = [...seen, service.log(), await service.metricsText()].join('\n');
    expect(service.log()).toContain('"route":"/v1alpha1/comments:analyze"');
    expect(everything).not.toContain(key.slice('sk_live_'.length));
  });
});
