/** Promises of what is kept: nothing unless a project says so, then every verdict of every door, and the answer names it. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decisionSearchResponse } from '../../../src/dashboard/routes/decision-schemas.js';
import { createHttpService } from '../../support/http-service.js';
import { keptService } from './kept-service.js';

const INSULT = 'You are an idiot.';

describe('a verdict', () => {
  it('is not kept where nobody switched it on: no header, no database', async () => {
    const { analyze, decisionsKept, keysFile } = await createHttpService();
    const answer = await analyze({ content: INSULT, metadata: { id: 'comment-1' } });
    await decisionsKept();
    expect(answer.headers['x-decision-id']).toBeUndefined();
    expect(existsSync(join(dirname(keysFile), 'parapet.db'))).toBe(false);
  });

  it('is kept where the policy says so, under the id in the header, and its body is as ever', async () => {
    const { analyze, decisionsKept, asKey } = await keptService({ what: 'verdicts', days: 30, reference: 'id' });
    const answer = await analyze({ content: INSULT, metadata: { id: 'comment-1' } });
    await decisionsKept();
    expect(Object.keys(answer.json<object>())).toEqual([
      'passed',
      'score',
      'sentiment',
      'description',
      'categories',
      'processingTimeMs',
    ]);
    const kept = await asKey('GET', `/v1/decisions/${String(answer.headers['x-decision-id'])}`);
    expect(kept.json()).toMatchObject({
      requestId: answer.headers['x-request-id'],
      reference: 'comment-1',
      door: '/v1/analyze',
      passed: false,
      score: 8,
      categories: ['toxic', 'insult'],
      policyVersion: 1,
      review: null,
    });
  });

  it('is kept from every door, each text of a request by itself', async () => {
    const { app, key, owner, projectId, decisionsKept } = await keptService({
      what: 'texts',
      days: 30,
      reference: 'id',
    });
    const post = (url: string, payload: object) =>
      app.inject({ method: 'POST', url, payload, headers: { authorization: `Bearer ${key}` } });
    const batch = await post('/v1/analyze/batch', {
      items: [{ content: 'one', metadata: { id: 'item-1' } }, { content: 'two' }],
    });
    const single = await post('/v1/moderations', { input: 'three' });
    const several = await post('/v1/moderations', { input: ['four', 'five'] });
    const perspective = await post('/v1alpha1/comments:analyze', {
      comment: { text: 'six' },
      requestedAttributes: { TOXICITY: {} },
    });
    const guard = await post('/beta/litellm_basic_guardrail_api', {
      texts: ['seven'],
      input_type: 'request',
    });
    await decisionsKept();
    for (const answer of [batch, single, several, perspective, guard]) expect(answer.statusCode).toBe(200);
    const named = [batch, single, several, perspective].map(({ headers }) => headers['x-decision-id'] !== undefined);
    expect(named).toEqual([false, true, false, true]);
    const found = decisionSearchResponse.parse((await owner.get(`/decisions?projectId=${projectId}`)).json());
    const told = found.decisions.map(({ text, door, reference }) => [text, door, reference]);
    expect(told.sort()).toEqual(
      [
        ['one', '/v1/analyze/batch', 'item-1'],
        ['two', '/v1/analyze/batch', null],
        ['three', '/v1/moderations', null],
        ['four', '/v1/moderations', null],
        ['five', '/v1/moderations', null],
        ['six', '/v1alpha1/comments:analyze', null],
        ['seven', expect.stringContaining('litellm') as string, null],
      ].sort(),
    );
  });

  it('has a text that nobody finds in the database, in logs or in metrics', async () => {
    const { analyze, decisionsKept, records, log, metricsText } = await keptService({ what: 'texts', days: 1 });
    await analyze({ content: INSULT, metadata: { id: 'comment-1' } });
    await decisionsKept();
    const [row] = await records.read<{ content: Uint8Array }>('select * from parapet.decision');
    expect(row?.content.byteLength).toBeGreaterThan(INSULT.length);
    for (const place of [JSON.stringify(row), Buffer.from(row?.content ?? []).toString('latin1'), log()]) {
      expect(place).not.toContain('idiot');
    }
    expect(await metricsText()).not.toContain('idiot');
    expect(log()).not.toContain('comment-1');
  });
});
