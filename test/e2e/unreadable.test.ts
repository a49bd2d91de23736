/** Texts in scripts that the model does not know, at every door of the built service on the model of English. */
import { describe, expect, it } from 'vitest';
import { moderationResponse } from '../../src/http/compat/openai-schemas.js';
import { RUSSIAN } from '../support/fake-analyzer.js';
import { analyze, analyzeInDetail, startService, startServiceForAll, type ReadyService } from '../support/service.js';
import { HATEFUL, TOXIC } from '../support/texts.js';

const MODEL_DIR = 'models/parapet-en';

function moderate({ address, key }: ReadyService, input: unknown): Promise<Response> {
  return fetch(`${address}/v1/moderations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ input }),
  });
}

function analyzeComment({ address, key }: ReadyService, text: string, languages?: string[]): Promise<Response> {
  return fetch(`${address}/v1alpha1/comments:analyze`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ comment: { text }, languages, requestedAttributes: { TOXICITY: {} } }),
  });
}

describe('a text that cannot be read', () => {
  let service: ReadyService;
  startServiceForAll((started) => (service = started), { MODEL_DIR });

  it.each([
    ['Russian', RUSSIAN],
    ['harmless Russian', 'Спасибо большое, это было прекрасно'],
    ['Greek', 'Είσαι ηλίθιος, σκάσε'],
    ['Chinese', '你是个白痴，去死吧'],
    ['Japanese', 'お前は馬鹿だ、消えろ'],
    ['Korean', '너는 바보야, 꺼져'],
    ['Arabic', 'أنت غبي، اخرس'],
    ['Hindi', 'तुम मूर्ख हो, चुप रहो'],
    ['mostly Russian with some English', `${RUSSIAN}. Thanks`],
  ])('fails as unreadable and is not called safe: %s', async (_language, text) => {
    for (const verdict of [await analyze(service, text), await analyze(service, text)]) {
      expect(verdict.passed).toBe(false);
      expect(verdict.categories.at(-1)).toBe('unreadable');
      expect(verdict.description).toMatch(
        /^Failed: unreadable text\. Most of the text is in a script that the model does not know/,
      );
    }
  });

  it.each([
    ['emoji', '👩‍👩‍👧‍👦🏳️‍🌈❤️ 🎉'],
    ['numbers and punctuation', '10:15 – 12 %!'],
    ['whitespace', ' \n\t '],
    ['German', 'Der Hund schläft schön'],
    ['mostly English with some Russian', 'Thank you so much, it was lovely to see Москва'],
  ])('is not one of %s', async (_what, text) => {
    expect(await analyze(service, text)).toMatchObject({ passed: true, categories: [] });
  });

  it('is not one whose letters only look like those of another script', async () => {
    const verdict = await analyze(service, 'уоu аrе а ѕtuріd іdіоt');
    expect(verdict).toMatchObject({ passed: false });
    expect(verdict.categories).toContain('insult');
    expect(verdict.categories).not.toContain('unreadable');
  });

  it('is told apart from what was read of it', async () => {
    const { score, categories, details } = await analyzeInDetail(service, `${RUSSIAN} ${RUSSIAN}. ${TOXIC}`);
    expect(score).toBeGreaterThanOrEqual(4);
    expect(categories[0]).not.toBe('unreadable');
    expect(categories.at(-1)).toBe('unreadable');
    expect(details.spans.length).toBeGreaterThan(0);
  });

  it('passes with UNREADABLE=pass, is still named, and has no score for Perspective', async () => {
    const lenient = await startService({ MODEL_DIR, UNREADABLE: 'pass' });
    const verdict = await analyze(lenient, RUSSIAN);
    expect(verdict).toMatchObject({ passed: true, categories: ['unreadable'] });
    expect(verdict.description).toMatch(/^Passed: unreadable text is let through\. /);
    expect(await analyze(lenient, TOXIC)).toMatchObject({ passed: false });
    const around = `${RUSSIAN}. `.repeat(Math.floor(4500 / RUSSIAN.length));
    expect(await analyze(lenient, `${around}${HATEFUL}. ${around}`)).toMatchObject({ passed: false });
    const { results } = moderationResponse.parse(await (await moderate(lenient, RUSSIAN)).json());
    expect(results[0]?.flagged).toBe(false);
    expect((await analyzeComment(lenient, RUSSIAN)).status).toBe(400);
  });
});
