/** Promises of labels over HTTP: imported, suggested, counted, exported, fitted to; and previews of texts that are kept. No text of either in a log. */
import { describe, expect, it } from 'vitest';
import { labelImportResponse, labelsResponse } from '../../../src/dashboard/labelling/label-schemas.js';
import { fitResponse, previewResponse } from '../../../src/dashboard/routes/policy-schemas.js';
import { createAnalyzer } from '../../../src/moderation/analyzer.js';
import { createAuditLog } from '../../../src/people/audit-log.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import { signedIn } from '../../support/dashboard/admin-client.js';
import { DECISION_KEYS, keepDecisions } from '../../support/dashboard/kept-decisions.js';
import { FAKE_POLICY } from '../../support/fake-analyzer.js';
import { createFakeClassifier } from '../../support/models/fake-classifier.js';
import { createHttpService, type HttpServiceOptions } from '../../support/http-service.js';

const KEEPS = { keep: { what: 'texts', days: 30 } } as const;
const FIT = { labels: true, categories: ['insult'], falseAlarms: 0.1 };

async function labelService(options: HttpServiceOptions = {}) {
  const service = await createHttpService({ dashboard: {}, decisionKeys: DECISION_KEYS, ...options });
  const admin = await signedIn(service.app);
  const path = `/projects/${service.record.projectId}`;
  return {
    ...service,
    admin,
    path,
    importing: (body: object) => admin.send('POST', `${path}/labels/import`, body),
    counts: async () => labelsResponse.parse((await admin.get(`${path}/labels`)).json()),
    exported: async (query = '') => (await admin.get(`${path}/labels/export${query}`)).body,
    suggest: (text: string, attributeScores: object) =>
      service.app.inject({
        method: 'POST',
        url: '/v1alpha1/comments:suggestscore',
        headers: { 'x-api-key': service.key },
        payload: { comment: { text }, attributeScores, languages: ['en'] },
      }),
    keepsTexts: () =>
      openFileStore(service.keysFile).policies.edit(service.record.projectId, () => KEEPS, { by: 'command line' }),
  };
}

const score = (value: number) => ({ summaryScore: { value } });

describe('labels over the admin API', () => {
  it('are imported, counted, exported and deleted, with an entry in the audit log and no text in it', async () => {
    const { admin, path, importing, counts, exported, records, log } = await labelService();
    const csv = 'text,should_pass,insult,hate\nharbour fool,0,1,0\n"=1+1, harbour",1,0,\n,1,0,0\n';
    expect(labelImportResponse.parse((await importing({ csv })).json())).toEqual({ taken: 2, leftOut: 1 });
    const jsonl = '{"text":"harbour fool","spam":0,"language":"en"}\n{"text":"third","toxic":true}';
    expect((await importing({ jsonl })).json()).toEqual({ taken: 2, leftOut: 0 });
    expect(await counts()).toMatchObject({
      texts: 3,
      sources: [
        { source: 'review', texts: 0 },
        { source: 'suggestion', texts: 0 },
        { source: 'import', texts: 3 },
      ],
      outcome: { shouldPass: 1, shouldFail: 1 },
      canKeep: true,
    });
    expect((await counts()).categories).toContainEqual({ category: 'insult', yes: 1, no: 1 });
    const lines = (await exported())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toContainEqual({
      text: 'harbour fool',
      language: 'en',
      source: 'import',
      should_pass: 0,
      insult: 1,
      hate: 0,
      spam: 0,
    });
    expect(await exported('?format=csv')).toContain(`\r\n"'=1+1, harbour",,import,1,`);
    expect(await exported('?format=coop&coopType=ct_1')).toContain('"typeId":"ct_1"');
    expect((await admin.get(`${path}/labels/export?format=coop`)).json()).toMatchObject({
      errors: [{ path: 'coopType' }],
    });
    expect((await admin.send('DELETE', `${path}/labels?source=review`)).statusCode).toBe(400);
    expect((await admin.send('DELETE', `${path}/labels?source=import`)).json()).toEqual({ deleted: 3 });
    expect(await counts()).toMatchObject({ texts: 0 });
    const entries = await createAuditLog(records).list({ limit: 10 });
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['label.import', 'label.export', 'label.delete']),
    );
    expect(log() + JSON.stringify(entries)).not.toContain('harbour');
  });

  it.each([
    [{}, 'csv or jsonl'],
    [{ csv: 'text,insult\na,1\n', jsonl: '' }, 'csv or jsonl'],
    [{ csv: 'text,mood\nharbour,1\n' }, 'no column of labels'],
    [{ jsonl: 'harbour' }, 'Line 1 is no JSON object'],
  ])('refuses what cannot be read (%#)', async (body, reason) => {
    const { importing } = await labelService();
    const refused = await importing(body);
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain(reason);
    expect(refused.body).not.toContain('harbour');
  });

  it('need DECISIONS_KEY and a project', async () => {
    const { importing, counts, admin } = await labelService({ decisionKeys: [] });
    const refused = await importing({ csv: 'text,insult\na,1\n' });
    expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining('DECISIONS_KEY')]);
    expect((await counts()).canKeep).toBe(false);
    for (const path of ['labels', 'labels/export'])
      expect((await admin.get(`/projects/prj_none/${path}`)).statusCode).toBe(404);
  });
});

describe('scores that callers suggest', () => {
  it('are labels where the project keeps texts, the last one of a text', async () => {
    const { suggest, keepsTexts, exported, counts } = await labelService();
    const toxic = { TOXICITY: score(1), INSULT: score(0.4), FLIRTATION: score(1) };
    expect((await suggest('harbour fool', toxic)).statusCode).toBe(200);
    expect(await counts()).toMatchObject({ texts: 0 });
    await keepsTexts();
    await suggest('harbour fool', toxic);
    await suggest('harbour fool', {
      TOXICITY: score(0),
      THREAT: { spanScores: [{ begin: 0, end: 3, score: { value: 1 } }] },
    });
    await suggest('another', { AFFINITY_EXPERIMENTAL: score(1) });
    expect(JSON.parse(await exported())).toEqual({
      text: 'harbour fool',
      language: 'en',
      source: 'suggestion',
      toxic: 0,
      insult: 0,
    });
  });

  it('are answered where no text can be kept', async () => {
    const { suggest, keepsTexts, counts } = await labelService({ decisionKeys: [] });
    await keepsTexts();
    expect((await suggest('a', { TOXICITY: score(1) })).statusCode).toBe(200);
    expect(await counts()).toMatchObject({ texts: 0 });
  });
});

describe('a fit to labels', () => {
  it('takes what was said last of each text, and whether it should fail', async () => {
    const { admin, path, importing } = await labelService();
    const refused = await admin.send('POST', `${path}/policy/fit`, FIT);
    expect([refused.statusCode, refused.body]).toEqual([
      400,
      expect.stringContaining('no label whose text can be read'),
    ]);
    const rows = Array.from({ length: 60 }, (_, index) => `Good morning ${index},1,0`);
    await importing({ csv: `text,should_pass,insult\n${rows.join('\n')}\nyou idiot,0,1\nall of them,0,\n` });
    const fit = fitResponse.parse((await admin.send('POST', `${path}/policy/fit`, FIT)).json());
    expect(fit).toMatchObject({ texts: 62, leftOut: 0, categories: [{ category: 'insult', unlabelled: 1 }] });
    expect(fit.failing.before).toMatchObject({ falseAlarms: { of: 60 }, found: { of: 2 } });
    expect((await admin.send('POST', `${path}/policy/fit`, { ...FIT, csv: 'text\n' })).statusCode).toBe(400);
    expect((await admin.send('POST', `${path}/policy/fit`, {})).statusCode).toBe(400);
  });
});

describe('a preview of kept texts', () => {
  it('judges a sample of the decisions of some days, and says which they are', async () => {
    const classifier = createFakeClassifier((text) => ({
      labels: text === 'damn' ? { toxicity: 0.85, obscene: 0.9 } : {},
    }));
    const analyzer = createAnalyzer({ classifier, policy: FAKE_POLICY, cacheMaxEntries: 100 });
    const { admin, path, records, record } = await labelService({ analyzer });
    const [id] = await keepDecisions(records, record.projectId, [{ text: 'damn' }, { text: 'Good morning' }, {}]);
    const preview = (keptDays: number) =>
      admin.send('POST', `${path}/policy/preview`, { policy: { preset: 'adults' }, keptDays });
    const answer = previewResponse.parse((await preview(30)).json());
    expect(answer).toMatchObject({ texts: 2, decisions: 3, nowPass: 1, changed: [{ decisionId: id, text: 'damn' }] });
    expect((await preview(0)).statusCode).toBe(400);
    const lines = await admin.send('POST', `${path}/policy/preview`, { policy: {}, lines: 'damn' });
    expect(previewResponse.parse(lines.json())).toMatchObject({ decisions: null });
  });

  it('says so where there are none', async () => {
    const { admin, path } = await labelService();
    const refused = await admin.send('POST', `${path}/policy/preview`, { policy: {}, keptDays: 30 });
    expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining('No text of these days is kept')]);
  });
});
