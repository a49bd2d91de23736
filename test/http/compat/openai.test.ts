/** Promises of POST /v1/moderations: OpenAI's shapes, on our keys and our analyzer. */
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { describe, expect, it } from 'vitest';
import { OPENAI_CATEGORIES } from '../../../src/http/compat/openai-categories.js';
import { moderationResponse, openAiErrorResponse } from '../../../src/http/compat/openai-schemas.js';
import { LABELS, type Label } from '../../../src/labels.js';
import { CATEGORY_OF_LABEL } from '../../../src/moderation/categories.js';
import {
  createFailingAnalyzer,
  createFakeAnalyzer,
  HARMLESS,
  queueFull,
  RUSSIAN,
  UNREAD,
} from '../../support/fake-analyzer.js';
import { createHttpService, type HttpService } from '../../support/http-service.js';
import type { Verdict } from '../../../src/moderation/verdict.js';
import { probabilitiesOf } from '../../support/models/probabilities.js';

const URL = '/v1/moderations';

function moderate(service: HttpService, body: unknown, request: InjectOptions = {}): Promise<LightMyRequestResponse> {
  const { headers, ...rest } = request;
  return service.app.inject({
    method: 'POST',
    url: URL,
    payload: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json', ...headers },
    ...rest,
  });
}

/** Every error of these routes has exactly this shape. */
function expectError(answer: LightMyRequestResponse, status: number, code: string, param: string | null = null): void {
  expect(answer.statusCode).toBe(status);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const { error } = openAiErrorResponse.parse(answer.json());
  expect(answer.json()).toEqual({ error });
  const type = status === 429 ? 'requests' : status >= 500 ? 'server_error' : 'invalid_request_error';
  expect(error).toMatchObject({ code, param, type });
  if (status === 429 || status === 503) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
}

/** An analyzer that detects the labels named in the text, each with probability 0.9, and none of the others. */
const analyzer = () =>
  createFakeAnalyzer(
    (text) => {
      const detected = LABELS.filter((label) => text.split(' ').includes(label)).map(
        (label) => CATEGORY_OF_LABEL[label],
      );
      return { ...HARMLESS, categories: detected };
    },
    (text) => probabilitiesOf(Object.fromEntries(text.split(' ').map((word) => [word, 0.9])), 0.01),
  );

async function flaggedCategories(service: HttpService, input: unknown): Promise<string[][]> {
  const { results } = moderationResponse.parse((await moderate(service, { input })).json());
  return results.map((result) => {
    const names = Object.entries(result.categories).flatMap(([name, value]) => (value ? [name] : []));
    expect(result.flagged).toBe(names.length > 0);
    return names;
  });
}

describe('POST /v1/moderations', () => {
  it.each<[Label, string[]]>([
    ['toxicity', ['harassment']],
    ['insult', ['harassment']],
    ['threat', ['harassment/threatening', 'violence']],
    ['identity_attack', ['hate']],
    ['self_harm', ['self-harm']],
    ['sexual_explicit', ['sexual']],
    ['obscene', []],
    ['spam', []],
    ['severe_toxicity', []],
  ])('flags for %s: %j', async (label, categories) => {
    expect(await flaggedCategories(await createHttpService({ analyzer: analyzer() }), label)).toEqual([categories]);
  });

  it('flags hate/threatening where both an attack on a group and a threat are detected', async () => {
    const service = await createHttpService({ analyzer: analyzer() });
    const [names] = await flaggedCategories(service, 'identity_attack threat');
    expect(names).toContain('hate/threatening');
  });

  it('answers every category of the API, those without a label as false, 0 and applied to nothing', async () => {
    const service = await createHttpService({ analyzer: analyzer() });
    const answer = await moderate(service, { input: 'toxicity', model: 'omni-moderation-latest' });
    const { id, model, results } = moderationResponse.parse(answer.json());
    expect(answer.json()).toEqual({ id, model, results });
    expect(id).toMatch(/^modr-[0-9a-f]{32}$/);
    expect(model).toBe('fake-model@1.0.0');
    const [result] = results;
    const names = Object.keys(OPENAI_CATEGORIES);
    expect(names).toHaveLength(13);
    expect(Object.keys(result?.category_scores ?? {})).toEqual(names);
    expect(result?.category_scores).toMatchObject({ harassment: 0.9, hate: 0.01 });
    for (const name of [
      'illicit',
      'illicit/violent',
      'self-harm/intent',
      'sexual/minors',
      'violence/graphic',
    ] as const) {
      expect(result?.categories[name]).toBe(false);
      expect(result?.category_scores[name]).toBe(0);
      expect(result?.category_applied_input_types[name]).toEqual([]);
    }
    expect(result?.category_applied_input_types.hate).toEqual(['text']);
  });

  it('flags what could not be read without a category of its own, unless a setting lets it pass', async () => {
    const resultsOn = async (verdict: Verdict, input: unknown) => {
      const judged = createFakeAnalyzer((text) => (text === RUSSIAN ? verdict : HARMLESS));
      const answer = await moderate(await createHttpService({ analyzer: judged }), { input });
      const { results } = moderationResponse.parse(answer.json());
      expect(answer.json()).toMatchObject({ results });
      return results;
    };
    const [unread, fine] = await resultsOn(UNREAD, [RUSSIAN, 'fine']);
    expect([unread?.flagged, fine?.flagged]).toEqual([true, false]);
    expect(Object.keys(unread?.categories ?? {})).toEqual(Object.keys(OPENAI_CATEGORIES));
    expect(Object.values(unread?.categories ?? {})).not.toContain(true);
    const parts = ['fine', RUSSIAN].map((text) => ({ type: 'text', text }));
    expect(await resultsOn(UNREAD, parts)).toMatchObject([{ flagged: true }]);
    expect(await resultsOn({ ...UNREAD, passed: true }, RUSSIAN)).toMatchObject([{ flagged: false }]);
  });

  it('refuses images, and says so', async () => {
    const service = await createHttpService();
    const image = { type: 'image_url', image_url: { url: 'https://example.org/a.png' } };
    const answer = await moderate(service, { input: [{ type: 'text', text: 'hi' }, image] });
    expectError(answer, 400, 'image_input_not_supported', 'input');
    expect(answer.body).not.toContain('example.org');
  });

  it.each([
    [{}, 'invalid_body'],
    [{ input: 7 }, 'invalid_body'],
    [{ input: [] }, 'invalid_body'],
    [{ input: ['a', 7] }, 'invalid_body'],
    [{ input: Array<string>(129).fill('a') }, 'invalid_body'],
    [{ input: '' }, 'invalid_value'],
    [{ input: ['fine', ''] }, 'invalid_value'],
    [{ input: 'x'.repeat(10_001) }, 'invalid_value'],
  ])('refuses the input of case %#, and names the parameter', async (body, code) => {
    expectError(await moderate(await createHttpService(), body), 400, code, 'input');
  });

  it("answers every other error in OpenAI's shape too", async () => {
    const service = await createHttpService();
    const headers = { 'content-type': 'text/plain' };
    expectError(await moderate(service, '{'), 400, 'malformed_json');
    expectError(await moderate(service, 'x', { headers }), 415, 'unsupported_media_type');
    expectError(await moderate(service, 'x'.repeat(4 * 1024 * 1024 + 1)), 413, 'body_too_large');
    expectError(await moderate(service, '', { method: 'GET' }), 405, 'method_not_allowed');
    expectError(await moderate(service, {}, { url: `${URL}/x` }), 404, 'not_found');
    expectError(await moderate(service, {}, { url: `${URL}/%zz` }), 400, 'bad_request');
    const loading = await createHttpService({ analyzer: null });
    expectError(await moderate(loading, { input: 'hi' }), 503, 'model_not_ready');
    const full = await createHttpService({ analyzer: createFailingAnalyzer(queueFull()) });
    expectError(await moderate(full, { input: ['a', 'b'] }), 503, 'queue_full');
    const faulty = await createHttpService({ analyzer: createFailingAnalyzer(new Error('a fault')) });
    expectError(await moderate(faulty, { input: 'hi' }), 500, 'internal_error');
    const stopping = await createHttpService({ isStopping: () => true });
    expectError(await moderate(stopping, { input: 'hi' }), 503, 'shutting_down');
  });

  it('shares the rate limit of the key with the other routes, and counts each text', async () => {
    const service = await createHttpService({ rateLimitPerMinute: 3 });
    expect((await moderate(service, { input: ['a', 'b'] })).headers.ratelimit).toMatch(/;r=1;/);
    expect((await service.analyze({ content: 'hi' })).statusCode).toBe(200);
    expectError(await moderate(service, { input: 'hi' }), 429, 'rate_limit_exceeded');
  });
});
