/** Promises of policies at every door: two projects of opposite policies, one text, and a change that holds at once. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { analyzeResponse } from '../../src/http/routes/schemas.js';
import { createAnalyzer } from '../../src/moderation/analyzer.js';
import type { PolicyFields } from '../../src/policies/policy-schema.js';
import { openFileStore } from '../../src/storage/file-store.js';
import { FAKE_POLICY } from '../support/fake-analyzer.js';
import { createFakeClassifier, type FakeJudgement } from '../support/fake-classifier.js';
import { createHttpService } from '../support/http-service.js';

const SWEARING = 'Fuck this shit';
const judged = (text: string): FakeJudgement =>
  text.includes('Fuck') ? { labels: { toxicity: 0.8, obscene: 0.9, insult: 0.2 } } : {};

/** Projects `adults` and `children` under the presets of these names, and `shop` without a policy. */
async function serviceWithPolicies() {
  const classifier = createFakeClassifier(judged);
  const analyzer = createAnalyzer({ classifier, policy: FAKE_POLICY, cacheMaxEntries: 100 });
  const service = await createHttpService({ analyzer });
  const { policies, projects } = openFileStore(service.keysFile);
  const keys = { shop: service.key, adults: '', children: '' };
  for (const name of ['adults', 'children'] as const) {
    keys[name] = (await service.createKey({ project: name })).key;
    await policies.edit(await idOf(name), () => ({ preset: name }), { by: 'command line' });
  }
  async function idOf(project: string): Promise<string> {
    return (await projects.list()).find(({ name }) => name === project)?.id ?? '';
  }
  const post = async (project: keyof typeof keys, url: string, payload: object) => {
    const headers = { 'x-api-key': keys[project], authorization: `Bearer ${keys[project]}` };
    const answer = await service.app.inject({ method: 'POST', url, payload, headers });
    expect(answer.statusCode).toBe(200);
    return answer.json<Record<string, unknown>>();
  };
  return {
    ...service,
    classifier,
    post,
    analyzeFor: async (project: keyof typeof keys, content = SWEARING) =>
      analyzeResponse.parse(await post(project, '/v1/analyze?details=true', { content })),
    edit: async (project: keyof typeof keys, policy: PolicyFields) =>
      policies.edit(await idOf(project), () => policy, { by: 'command line' }),
  };
}

describe('one text under opposite policies', () => {
  it('is judged as each project wants it, with one run of the model', async () => {
    const { analyzeFor, classifier } = await serviceWithPolicies();
    const [adults, children, shop] = [
      await analyzeFor('adults'),
      await analyzeFor('children'),
      await analyzeFor('shop'),
    ];
    expect(adults).toMatchObject({
      passed: true,
      score: 8,
      categories: ['obscene', 'toxic'],
      details: { policy: { name: 'adults', version: 1 }, cached: false },
    });
    expect(children).toMatchObject({
      passed: false,
      score: 8,
      categories: ['obscene', 'toxic'],
      details: { policy: { name: 'children', version: 1 }, cached: true },
    });
    expect(shop).toMatchObject({ passed: false, score: 8 });
    expect(shop.details).not.toHaveProperty('policy');
    expect(classifier.calls).toHaveLength(1);
  });

  it('is flagged at the door of OpenAI where it fails, in the categories of what was detected', async () => {
    const { post, edit } = await serviceWithPolicies();
    const flaggedFor = async (project: 'adults' | 'children' | 'shop') =>
      (await post(project, '/v1/moderations', { input: SWEARING })).results;
    expect(await flaggedFor('adults')).toMatchObject([{ flagged: false, categories: { harassment: false } }]);
    expect(await flaggedFor('children')).toMatchObject([{ flagged: true, categories: { harassment: true } }]);
    expect(await flaggedFor('shop')).toMatchObject([{ flagged: true, categories: { harassment: true } }]);
    await edit('adults', { passMaxScore: 0, categories: { toxic: { action: 'ignore' } } });
    expect(await flaggedFor('adults')).toMatchObject([
      { flagged: true, categories: { harassment: false }, category_scores: { harassment: 0.8 } },
    ]);
  });

  it('has the same scores at the door of Perspective', async () => {
    const { post } = await serviceWithPolicies();
    const body = { comment: { text: SWEARING }, requestedAttributes: { TOXICITY: {}, PROFANITY: {} } };
    const [adults, children] = [
      await post('adults', '/v1alpha1/comments:analyze', body),
      await post('children', '/v1alpha1/comments:analyze', body),
    ];
    expect(adults).toEqual(children);
    expect(adults).toMatchObject({ attributeScores: { TOXICITY: { summaryScore: { value: 0.8 } } } });
  });

  it('is counted by project and category', async () => {
    const { analyzeFor, metricsText } = await serviceWithPolicies();
    await analyzeFor('adults');
    await analyzeFor('children');
    const text = await metricsText();
    expect(text).toContain('parapet_project_verdicts_total{project="adults",passed="true"} 1');
    expect(text).toContain('parapet_project_verdicts_total{project="children",passed="false"} 1');
    expect(text).toContain('parapet_project_categories_total{project="children",category="obscene"} 1');
    expect(text).toContain('parapet_project_categories_total{project="children",category="hate"} 0');
  });
});

describe('a policy with long lists', () => {
  const blockedTerms = Array.from({ length: 10_000 }, (_, index) => `widget number ${index}`);

  it('holds from the first request after a change, and is read once for all that come meanwhile', async () => {
    const { analyzeFor, edit } = await serviceWithPolicies();
    for (const passMaxScore of [10, 0, 10]) {
      await edit('adults', { blockedTerms, passMaxScore, categories: { toxic: { action: 'ignore' } } });
      const passed = await Promise.all([1, 2, 3].map(async () => (await analyzeFor('adults')).passed));
      expect(passed).toEqual(Array(3).fill(passMaxScore === 10));
    }
  });

  it('is none while its file is damaged, and comes back with it', async () => {
    const { app, edit, key, keysFile, analyzeFor } = await serviceWithPolicies();
    await edit('shop', { blockedTerms, passMaxScore: 10, categories: { toxic: { action: 'ignore' } } });
    const ids = (await openFileStore(keysFile).projects.list()).map(({ name, id }) => [name, id] as const);
    const file = join(dirname(keysFile), `policies.${new Map(ids).get('shop') ?? ''}.json`);
    const whole = readFileSync(file);
    writeFileSync(file, whole.subarray(0, -20));
    for (let asked = 0; asked < 2; asked += 1) {
      const payload = { content: SWEARING };
      const answer = await app.inject({ method: 'POST', url: '/v1/analyze', payload, headers: { 'x-api-key': key } });
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([503, 'policies_unavailable']);
    }
    expect((await analyzeFor('children')).passed).toBe(false);
    writeFileSync(file, whole);
    expect((await analyzeFor('shop')).passed).toBe(true);
  });
});

describe('a change of a policy', () => {
  it('holds from the first request after it, for texts that were judged before as well', async () => {
    const { analyzeFor, edit } = await serviceWithPolicies();
    expect((await analyzeFor('adults')).passed).toBe(true);
    for (const [version, passMaxScore] of [
      [2, 7],
      [3, 8],
      [4, 0],
    ] as const) {
      await edit('adults', { preset: 'adults', passMaxScore });
      expect(await analyzeFor('adults')).toMatchObject({
        passed: passMaxScore >= 8,
        details: { cached: true, policy: { name: 'adults', version } },
      });
    }
    await edit('children', { preset: 'children', categories: { obscene: { action: 'ignore' } } });
    const { categories, details } = await analyzeFor('children');
    expect(categories).toEqual(['toxic']);
    expect(details?.spans.map(({ label }) => label)).toEqual(['toxicity']);
  });
});
