/** Promises of the admin API about policies: shown, changed with a base version, restored, previewed, and only by who is signed in. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { projectListResponse } from '../../../src/dashboard/routes/admin-schemas.js';
import {
  historyResponse,
  policyResponse,
  presetsResponse,
  previewResponse,
  fitResponse,
} from '../../../src/dashboard/routes/policy-schemas.js';
import { createAnalyzer } from '../../../src/moderation/analyzer.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import { adminRequest, signedIn } from '../../support/dashboard/admin-client.js';
import { FAKE_POLICY } from '../../support/fake-analyzer.js';
import { createFakeClassifier } from '../../support/models/fake-classifier.js';
import { createHttpService } from '../../support/http-service.js';

const TERMS = Array.from({ length: 10_000 }, (_, index) => `слово ${index}`);

async function policyService() {
  const classifier = createFakeClassifier((text) => ({
    labels: {
      ...(text.includes('damn') && { toxicity: 0.85, obscene: 0.9 }),
      ...(text.includes('them') && { identity_attack: 0.8 }),
    },
  }));
  const analyzer = createAnalyzer({ classifier, policy: FAKE_POLICY, cacheMaxEntries: 100 });
  const service = await createHttpService({ dashboard: {}, analyzer });
  const admin = await signedIn(service.app);
  const [shop] = projectListResponse.parse((await admin.get('/projects')).json()).projects;
  const path = `/projects/${shop?.id ?? ''}/policy`;
  return {
    ...service,
    classifier,
    admin,
    path,
    id: shop?.id ?? '',
    put: (baseVersion: number, policy: object) => admin.send('PUT', path, { baseVersion, policy }),
    commandLine: openFileStore(service.keysFile).policies,
  };
}

describe('the policy of a project over the admin API', () => {
  it('is none at first, with what the settings say', async () => {
    const { admin, path } = await policyService();
    expect(policyResponse.parse((await admin.get(path)).json())).toMatchObject({
      version: 0,
      by: null,
      policy: {},
      resolved: { passMaxScore: 3, categories: { hate: { action: 'fail' }, obscene: { action: 'report' } } },
    });
  });

  it('is changed at once and shown as it was sent, long lists included', async () => {
    const { put, admin, path, analyze } = await policyService();
    const policy = { preset: 'adults', categories: { hate: { threshold: 0.4 } }, blockedTerms: TERMS };
    const changed = await put(0, policy);
    expect(changed.statusCode).toBe(200);
    expect(policyResponse.parse(changed.json())).toMatchObject({
      version: 1,
      by: 'dashboard',
      policy,
      resolved: { passMaxScore: 10, categories: { hate: { action: 'fail', threshold: 0.4 } } },
    });
    expect((await admin.get(path)).json()).toEqual(changed.json());
    const answer = await analyze({ content: 'damn' }, { url: '/v1/analyze?details=true' });
    expect(answer.json()).toMatchObject({ passed: true, details: { policy: { name: 'adults', version: 1 } } });
  });

  it('is not changed from an older version: the answer says what changed since, when and by whom', async () => {
    const { put, id, commandLine, admin, path } = await policyService();
    await put(0, { passMaxScore: 5 });
    await commandLine.edit(id, (present) => ({ ...present, unreadable: 'pass' }), { by: 'command line' });
    const refused = await put(1, { passMaxScore: 9 });
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({
      code: 'conflict',
      errors: [{ path: 'unreadable', message: expect.stringContaining('version 2 by command line at ') as string }],
    });
    expect((await admin.get(path)).json()).toMatchObject({
      version: 2,
      policy: { passMaxScore: 5, unreadable: 'pass' },
    });
  });

  it('has a history without the lists themselves, of which each version can be restored', async () => {
    const { put, admin, path } = await policyService();
    await put(0, { passMaxScore: 5, blockedTerms: ['a', 'b'] });
    await put(1, { passMaxScore: 6 });
    const history = historyResponse.parse((await admin.get(`${path}/history`)).json());
    expect(history).toMatchObject({
      oldest: 0,
      versions: [
        { version: 2, changed: ['passMaxScore', 'blockedTerms'], policy: { passMaxScore: 6 }, blockedTerms: 0 },
        { version: 1, changed: ['passMaxScore', 'blockedTerms'], policy: { passMaxScore: 5 }, blockedTerms: 2 },
      ],
    });
    const restored = await admin.send('POST', `${path}/restore`, { version: 1, baseVersion: 2 });
    expect(policyResponse.parse(restored.json())).toMatchObject({ version: 3, policy: { blockedTerms: ['a', 'b'] } });
    expect((await admin.send('POST', `${path}/restore`, { version: 1, baseVersion: 2 })).statusCode).toBe(409);
    expect((await admin.send('POST', `${path}/restore`, { version: 9, baseVersion: 3 })).statusCode).toBe(404);
  });

  it.each([
    [{ baseVersion: 0, policy: { passMaxScore: 11 } }, 'policy.passMaxScore'],
    [{ baseVersion: 0, policy: { categories: { hate: { threshold: '0.4' } } } }, 'policy.categories.hate.threshold'],
    [{ baseVersion: 0, policy: { passMax: 1 } }, 'policy'],
    [{ policy: {} }, 'baseVersion'],
    [{ baseVersion: 0 }, 'policy'],
  ])('is not %j', async (body, place) => {
    const { admin, path } = await policyService();
    const refused = await admin.send('PUT', path, body);
    expect(refused.statusCode).toBe(400);
    expect(z.object({ errors: z.array(z.object({ path: z.string() })) }).parse(refused.json()).errors[0]?.path).toBe(
      place,
    );
  });

  it('is nobody else’s to see or change', async () => {
    const { app, admin, path, analyze } = await policyService();
    const policy = { baseVersion: 0, policy: { passMaxScore: 10 } };
    expect((await adminRequest(app, 'GET', path)).statusCode).toBe(401);
    const { cookie } = admin;
    for (const [method, end] of [
      ['PUT', ''],
      ['POST', '/restore'],
      ['POST', '/preview'],
      ['POST', '/fit'],
    ] as const) {
      const withoutToken = await adminRequest(app, method, `${path}${end}`, { headers: { cookie }, payload: policy });
      expect(withoutToken.json()).toMatchObject({ code: 'foreign_origin' });
    }
    expect((await analyze({ content: 'damn' })).json()).toMatchObject({ passed: false });
    expect((await admin.get('/projects/prj_nobody/policy')).statusCode).toBe(404);
  });
});

describe('thresholds of the model over the admin API', () => {
  it('come with the label that each category stands for, and are unknown while the model is loading', async () => {
    const { admin } = await policyService();
    const { categories } = presetsResponse.parse((await admin.get('/policy-presets')).json());
    expect(categories).toContainEqual({ name: 'hate', label: 'identity_attack', threshold: 0.5 });
    const loading = await createHttpService({ dashboard: {}, analyzer: null });
    const answer = await (await signedIn(loading.app)).get('/policy-presets');
    expect(presetsResponse.parse(answer.json()).categories).toContainEqual({
      name: 'hate',
      label: 'identity_attack',
      threshold: null,
    });
  });
});

describe('a list of terms over the admin API', () => {
  it('is checked: lines that say nothing new are named, and comments are none', async () => {
    const { admin } = await policyService();
    const answer = await admin.send('POST', '/policy-terms', { text: '# ours\nfoo\n\nbar\nfoo\n' });
    expect(answer.json()).toEqual({ terms: 2, problems: [{ line: 5, message: 'repeats line 2' }] });
    const long = await admin.send('POST', '/policy-terms', { text: TERMS.join('\n') });
    expect(long.json()).toEqual({ terms: TERMS.length, problems: [] });
  });

  it('is refused before it is read where it has more terms than a list may have', async () => {
    const { admin } = await policyService();
    const comments = '# a comment\n\n'.repeat(10_000);
    const answer = await admin.send('POST', '/policy-terms', { text: `${comments}${TERMS.join('\n')}\none more` });
    expect(answer.json()).toMatchObject({
      code: 'invalid_body',
      detail: 'text has more than 10000 terms: no list may have more.',
      errors: [{ path: 'text' }],
    });
  });
});

describe('a preview over the admin API', () => {
  const LINES = 'Good morning\n\ndamn it\nall of them\ndamn them';

  it('says what would change, the largest changes first, and changes nothing', async () => {
    const { admin, path, classifier } = await policyService();
    const policy = { preset: 'adults', categories: { hate: { action: 'report' } } };
    const answer = await admin.send('POST', `${path}/preview`, { policy, lines: LINES });
    expect(previewResponse.parse(answer.json())).toMatchObject({
      texts: 4,
      failedBefore: 3,
      failedAfter: 0,
      nowPass: 3,
      nowFail: 0,
      changed: [
        { row: 3, text: 'damn it', change: 'now passes', score: 8, before: { passed: false }, after: { passed: true } },
        { row: 5, score: 8 },
        { row: 4, score: 0, before: { categories: ['hate'] } },
      ],
    });
    expect(classifier.calls).toHaveLength(4);
    expect((await admin.get(path)).json()).toMatchObject({ version: 0 });
  });

  it('takes a CSV, and says what is wrong with one', async () => {
    const { admin, path } = await policyService();
    const preview = (body: object) => admin.send('POST', `${path}/preview`, { policy: { preset: 'adults' }, ...body });
    const csv = 'id,comment\n1,"damn, really"\n2,Good morning\n';
    expect((await preview({ csv })).json()).toMatchObject({ texts: 2, changed: [{ row: 1, text: 'damn, really' }] });
    expect((await preview({ csv, textColumn: 'id' })).json()).toMatchObject({ texts: 2, changed: [] });
    for (const wrong of [
      { csv, textColumn: 'body' },
      { csv: 'a,b\n1,2\n' },
      { csv: 'text\n"open' },
      { csv: 'a,b\n1\n' },
      { csv, lines: 'x' },
      {},
      { lines: '\n' },
      { lines: 'x\n'.repeat(2001) },
      { lines: 'x'.repeat(10_001) },
      { lines: '\n'.repeat(10_000) + 'x' },
      { csv: `text\n${'x\n'.repeat(10_001)}` },
    ]) {
      expect((await preview(wrong)).statusCode).toBe(400);
    }
  });
});

describe('a fit over the admin API', () => {
  const CSV = `id,comment,hateful\n${'1,Good morning,0\n'.repeat(90)}2,all of them,0\n${'3,them again,1\n'.repeat(30)}4,none of them,?\n`;

  it('says by category which threshold has the wanted share of false alarms, and changes nothing', async () => {
    const { admin, path, put } = await policyService();
    await put(0, { categories: { hate: { threshold: 0.7 } }, blockedTerms: ['x'] });
    const fit = async (body: object) =>
      fitResponse.parse((await admin.send('POST', `${path}/fit`, { csv: CSV, ...body })).json());
    expect(await fit({ labelColumns: { hate: 'hateful' }, falseAlarms: 0.1 })).toMatchObject({
      version: 1,
      texts: 122,
      leftOut: 0,
      falseAlarms: 0.1,
      categories: [
        {
          category: 'hate',
          action: 'fail',
          unlabelled: 1,
          before: { falseAlarms: { count: 1, of: 91 }, found: { count: 30, of: 30 } },
          after: {
            threshold: 0.02,
            falseAlarms: { count: 1 },
            found: { count: 30, interval: [expect.closeTo(0.8843, 4) as number, 1] },
            doubts: [],
          },
        },
      ],
      failing: { after: { found: { count: 30 } } },
      policy: { categories: { hate: { threshold: 0.02 } }, blockedTerms: ['x'] },
      fitted: ['hate'],
    });
    const tried = await fit({ labelColumn: 'hateful', policy: { preset: 'adults' }, categories: ['hate', 'insult'] });
    expect(tried.categories.map(({ category, after }) => [category, after.doubts])).toEqual([
      ['hate', ['too few harmless texts']],
      ['insult', ['too few harmless texts']],
    ]);
    expect(tried).toMatchObject({ policy: { preset: 'adults' }, fitted: [] });
    const damned = { csv: 'comment,rude\ndamn,1\nfine,0\n', labelColumns: { obscene: 'rude' } };
    const { scores, failing } = await fit({ ...damned, policy: { passMaxScore: 6 } });
    expect(scores.map(({ passMaxScore }) => passMaxScore)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(scores[6]).toMatchObject(failing.after);
    expect([scores[0]?.found.count, scores[10]?.found.count]).toEqual([1, 0]);
    expect((await admin.get(path)).json()).toMatchObject({ version: 1 });
  });

  it.each([
    [{ csv: CSV }, 'Name the column with the labels.'],
    [{ csv: CSV, labelColumn: 'spam' }, 'There are: id, comment, hateful'],
    [{ csv: CSV, labelColumn: 'hateful', falseAlarms: 0 }, 'falseAlarms'],
    [{ csv: `text,hateful\n${'a,1\n'.repeat(2001)}`, labelColumn: 'hateful' }, 'npx parapet policies fit'],
    [
      { csv: `text,hateful\n${',1\n'.repeat(10_001)}`, labelColumn: 'hateful' },
      'There are more than 10000 rows in it.',
    ],
  ])('refuses what cannot be fitted', async (body, reason) => {
    const { admin, path } = await policyService();
    const refused = await admin.send('POST', `${path}/fit`, body);
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain(reason);
  });
});

describe('the playground', () => {
  it('judges as a project or a policy to try has it, with its thresholds', async () => {
    const { admin, put, id } = await policyService();
    await put(0, { preset: 'adults', categories: { obscene: { threshold: 0.95 } } });
    const tryOut = async (more: object) =>
      (await admin.send('POST', '/playground', { content: 'damn', ...more })).json<Record<string, unknown>>();
    expect(await tryOut({})).toMatchObject({ analysis: { passed: false }, thresholds: { obscene: 0.5 } });
    expect(await tryOut({ projectId: id })).toMatchObject({
      analysis: { passed: true, categories: ['toxic'], details: { policy: { name: 'adults', version: 1 } } },
      thresholds: { obscene: 0.95 },
    });
    const tried = await tryOut({ projectId: id, policy: { preset: 'children', blockedTerms: TERMS } });
    expect(tried).toMatchObject({ analysis: { passed: false } });
    expect((await admin.send('POST', '/playground', { content: 'x', projectId: 'prj_nobody' })).statusCode).toBe(404);
  });
});
