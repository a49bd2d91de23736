/** Promises of a successful POST /v1/analyze: what may be sent, and exactly what comes back. */
import { describe, expect, it } from 'vitest';
import { createFakeAnalyzer, HARMLESS, INSULT } from '../support/fake-analyzer.js';
import { createHttpService } from '../support/http-service.js';
import { probabilitiesOf } from '../support/models/probabilities.js';

const insultingService = () => createHttpService({ analyzer: createFakeAnalyzer(() => INSULT) });

describe('POST /v1/analyze', () => {
  it('answers with the fields of the interface and nothing more', async () => {
    const { analyze } = await insultingService();
    const answer = await analyze({ content: 'You are an idiot.' });
    expect(answer.statusCode).toBe(200);
    const body = answer.json<Record<string, unknown>>();
    expect(body).toEqual({
      passed: INSULT.passed,
      score: INSULT.score,
      sentiment: INSULT.sentiment,
      description: INSULT.description,
      categories: INSULT.categories,
      processingTimeMs: body.processingTimeMs,
    });
    expect(Number.isInteger(body.processingTimeMs) && Number(body.processingTimeMs) >= 0).toBe(true);
  });

  it('says in its headers what the body is, which model judged and which request this was', async () => {
    const { analyze } = await createHttpService();
    const { headers } = await analyze({ content: 'Good morning.' });
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-model': 'fake-model@1.0.0',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      'cache-control': 'no-store',
    });
  });

  it.each(['true', '1'])('adds exactly the documented members with ?details=%s', async (value) => {
    const { analyze } = await insultingService();
    const answer = await analyze({ content: 'You are an idiot.' }, { url: `/v1/analyze?details=${value}` });
    const { details, ...verdict } = answer.json<Record<string, unknown>>();
    expect(Object.keys(verdict)).toEqual([
      'passed',
      'score',
      'sentiment',
      'description',
      'categories',
      'processingTimeMs',
    ]);
    expect(details).toEqual({
      model: 'fake-model@1.0.0',
      band: 'Toxic',
      labels: { toxicity: 0.123457, insult: 0.9 },
      sentiment: { positive: 0.25, neutral: 0.75 },
      spans: [{ start: 0, end: 5, label: 'insult', probability: 0.876543 }],
      windows: 1,
      cached: false,
    });
  });

  it('names the language in the details where the model tells it, and an experimental one as that', async () => {
    const { analyze } = await createHttpService({
      analyzer: createFakeAnalyzer(
        () => HARMLESS,
        (text) => ({ ...probabilitiesOf({}, 0), language: { tag: text, probability: 0.9 } }),
        { languages: ['en', 'pt-BR'], experimentalLanguages: ['pt-BR'] },
      ),
    });
    const detailsOf = async (content: string): Promise<unknown> =>
      (await analyze({ content }, { url: '/v1/analyze?details=true' })).json<{ details: unknown }>().details;
    expect(await detailsOf('pt-BR')).toMatchObject({ language: 'pt-BR', languageExperimental: true });
    for (const tag of ['en', 'other']) {
      expect(await detailsOf(tag)).toMatchObject({ language: tag });
      expect(await detailsOf(tag)).not.toHaveProperty('languageExperimental');
    }
  });

  it.each([
    '/v1/analyze?details=false',
    '/v1/analyze?details=0',
    '/v1/analyze?',
    '/v1/analyze?other=1&__proto__=x&constructor=x',
  ])('adds nothing at %s', async (url) => {
    const { analyze } = await createHttpService();
    const answer = await analyze({ content: 'Good morning.' }, { url });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).not.toHaveProperty('details');
  });

  it.each([
    ['an empty object', {}],
    ['the members of the interface', { source: 'comments', userId: '42' }],
    ['nested values', { thread: { id: 7, tags: ['a', null, true] } }],
    ['almost as much as is allowed', { note: 'a'.repeat(16_384 - '{"note":""}'.length) }],
  ])('ignores metadata: %s', async (_what, metadata) => {
    const analyzer = createFakeAnalyzer();
    const { analyze } = await createHttpService({ analyzer });
    const answer = await analyze({ content: 'Good morning.', metadata });
    expect(answer.statusCode).toBe(200);
    expect(analyzer.texts).toEqual(['Good morning.']);
  });

  it.each([
    ['unknown members', '{"content":"hi","contents":"x","passed":true}'],
    ['a member __proto__', '{"content":"hi","__proto__":{"content":"x","passed":true}}'],
    ['a member constructor', '{"content":"hi","constructor":{"prototype":{"passed":true}}}'],
    ['such members in metadata', '{"content":"hi","metadata":{"__proto__":{"a":1},"constructor":{"prototype":{}}}}'],
    ['such members in their escaped spelling', '{"content":"hi","\\u005f_proto__":{"passed":true}}'],
    ['a byte order mark', '\ufeff{"content":"hi"}'],
    ['white space around it', ' \r\n{"content":"hi"}\n'],
  ])('takes a body with %s', async (_what, body) => {
    const analyzer = createFakeAnalyzer();
    const { analyze } = await createHttpService({ analyzer });
    expect((await analyze(body)).statusCode).toBe(200);
    expect(analyzer.texts).toEqual(['hi']);
    expect({}).not.toHaveProperty('passed');
  });

  it.each([['a'], ['job-42:retry.1_b'], ['x'.repeat(128)]])('keeps a well-formed request id: %s', async (id) => {
    const { analyze } = await createHttpService();
    const answer = await analyze({ content: 'hi' }, { headers: { 'x-request-id': id } });
    expect(answer.headers['x-request-id']).toBe(id);
  });

  it.each([[''], ['x'.repeat(129)], ['a b'], ['a\tb'], ['"quoted"'], ['a,b'], ['é']])(
    'replaces a request id that is not: %j',
    async (id) => {
      const { analyze } = await createHttpService();
      const answer = await analyze({ content: 'hi' }, { headers: { 'x-request-id': id } });
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});
