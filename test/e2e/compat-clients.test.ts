/** The published clients of both APIs, pointed at the built service by address and key alone. */
import { Discovery, type Endpoint } from 'googleapis-common';
import OpenAI, { AuthenticationError, BadRequestError } from 'openai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  analyzeCommentResponse,
  perspectiveErrorResponse,
  suggestScoreResponse,
} from '../../src/http/compat/perspective-schemas.js';
import { startServiceForAll, type ReadyService } from '../support/service.js';
import { KIND, TOXIC } from '../support/texts.js';

let service: ReadyService;
startServiceForAll((started) => (service = started));

describe('the OpenAI client', () => {
  const clientWith = (apiKey: string): OpenAI =>
    new OpenAI({ apiKey, baseURL: `${service.address}/v1`, maxRetries: 0 });

  it('moderates a text', async () => {
    const { id, model, results } = await clientWith(service.key).moderations.create({ input: TOXIC });
    expect(id).toMatch(/^modr-/);
    expect(model).toMatch(/^parapet-multi@/);
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({ flagged: true, categories: { harassment: true, illicit: false } });
    expect(results[0]?.category_scores.harassment).toBeGreaterThan(0.5);
    expect(results[0]?.category_applied_input_types['sexual/minors']).toEqual([]);
  });

  it('moderates many texts, and parts of a message', async () => {
    const client = clientWith(service.key);
    const many = await client.moderations.create({ model: 'omni-moderation-latest', input: [KIND, TOXIC] });
    expect(many.results.map(({ flagged }) => flagged)).toEqual([false, true]);
    const parts = [KIND, TOXIC].map((text) => ({ type: 'text' as const, text }));
    const one = await client.moderations.create({ input: parts });
    expect(one.results.map(({ flagged }) => flagged)).toEqual([true]);
  });

  it('throws its own errors', async () => {
    await expect(clientWith(`${service.key}x`).moderations.create({ input: KIND })).rejects.toBeInstanceOf(
      AuthenticationError,
    );
    const image = [{ type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } }];
    const refused = clientWith(service.key).moderations.create({ input: image });
    await expect(refused).rejects.toBeInstanceOf(BadRequestError);
    await expect(refused).rejects.toMatchObject({ code: 'image_input_not_supported', param: 'input' });
  });
});

/** What Google's library makes of the description is not typed. */
type Method = (parameters: object) => Promise<{ status: number; data: unknown }>;
const comments = z.object({ analyze: z.custom<Method>(), suggestscore: z.custom<Method>() });

/** Google's library builds its methods from the description that the service serves. */
async function perspectiveClient(): Promise<z.output<typeof comments>> {
  const url = `${service.address}/$discovery/rest?version=v1alpha1`;
  const create = await new Discovery({ debug: false, includePrivate: false }).discoverAPI(url);
  const endpoint: Endpoint = create({}, { _options: {} });
  return comments.parse(endpoint.comments);
}

describe("Google's client of the Perspective API", () => {
  const requestedAttributes = { TOXICITY: {}, SPAM: {} };

  it('analyzes a comment with the key in the query', async () => {
    const { analyze } = await perspectiveClient();
    const requestBody = { comment: { text: TOXIC }, requestedAttributes, languages: ['en'], spanAnnotations: true };
    const { data } = await analyze({ key: service.key, requestBody });
    const { attributeScores, languages } = analyzeCommentResponse.parse(data);
    expect(attributeScores.TOXICITY?.summaryScore.value).toBeGreaterThan(0.5);
    expect(attributeScores.TOXICITY?.spanScores.length).toBeGreaterThan(0);
    expect(attributeScores.SPAM?.summaryScore.value).toBeLessThan(0.5);
    expect(languages).toEqual(['en']);
    expect(service.lines.join('\n')).not.toContain(service.key.slice(8));
  });

  it('suggests a score', async () => {
    const { suggestscore } = await perspectiveClient();
    const attributeScores = { TOXICITY: { summaryScore: { value: 0 } } };
    const { data } = await suggestscore({
      key: service.key,
      requestBody: { comment: { text: KIND }, attributeScores, clientToken: 'c-1' },
    });
    expect(suggestScoreResponse.parse(data)).toMatchObject({ clientToken: 'c-1' });
  });

  it('throws the error that the service answers', async () => {
    const { analyze } = await perspectiveClient();
    const failed: unknown = await analyze({
      key: service.key,
      requestBody: { comment: { text: 'დიდი მადლობა ყველას' }, requestedAttributes },
    }).catch((error: unknown) => error);
    const { response } = z.object({ response: z.object({ data: perspectiveErrorResponse }) }).parse(failed);
    expect(response.data.error).toMatchObject({
      status: 'INVALID_ARGUMENT',
      details: [{ errorType: 'LANGUAGE_NOT_SUPPORTED_BY_ATTRIBUTE' }, {}],
    });
  });
});
