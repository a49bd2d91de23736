/** Promises of reviews over HTTP: what moderators get and say, appeals of backends, and what these are told. No text of either in a log. */
import { describe, expect, it } from 'vitest';
import { nextResponse, type DecisionToReview } from '../../../src/dashboard/routes/review-schemas.js';
import { appealResponse, outcomesResponse } from '../../../src/http/routes/review-schemas.js';
import { createAccounts } from '../../../src/people/accounts.js';
import { createAuditLog } from '../../../src/people/audit-log.js';
import { adminRequest, signedIn } from '../../support/dashboard/admin-client.js';
import {
  ADMIN_PASSWORD,
  adminPasswordHash,
  createHttpService,
  type HttpServiceOptions,
} from '../../support/http-service.js';
import { DECISION_KEYS, keepDecisions, type KeptDecision } from '../../support/dashboard/kept-decisions.js';

const TEXT = 'You <b>idiot</b> of the harbour';

async function reviewService(decisions: readonly KeptDecision[], options: HttpServiceOptions = {}) {
  const service = await createHttpService({ dashboard: {}, decisionKeys: DECISION_KEYS, ...options });
  const admin = await signedIn(service.app);
  const ids = await keepDecisions(service.records, service.record.projectId, decisions);
  const headers = { 'x-api-key': service.key };
  return {
    ...service,
    admin,
    ids,
    next: async (body: object = {}): Promise<DecisionToReview | null> =>
      nextResponse.parse((await admin.send('POST', '/reviews/next', body)).json()).decision,
    judge: (id: string, body: object) => admin.send('POST', `/reviews/${id}/judgement`, body),
    appeal: (id: string, payload: object = {}) =>
      service.app.inject({ method: 'POST', url: `/v1/decisions/${id}/appeals`, headers, payload }),
    outcomes: (query = '') => service.app.inject({ url: `/v1/reviews${query}`, headers }),
  };
}

describe('the queue over the admin API', () => {
  it('gives the decision with its text, its project and what the policy said', async () => {
    const { next, ids, record } = await reviewService([{ text: TEXT, reference: 'post-7', language: undefined }]);
    expect(await next()).toMatchObject({
      id: ids[0],
      projectId: record.projectId,
      project: 'shop',
      reference: 'post-7',
      passed: false,
      score: 8,
      categories: ['insult', 'toxic'],
      language: null,
      text: TEXT,
      appeal: null,
    });
    expect(await next({ except: ids })).toBeNull();
    expect(await next({ projectId: 'prj_other' })).toBeNull();
  });

  it('says that there is no text where none is kept, or its key is gone', async () => {
    const { next, ids } = await reviewService([{ doubt: 0 }, { content: Buffer.alloc(60, 1) }]);
    expect(await next()).toMatchObject({ id: ids[0], text: null });
    expect(await next({ except: [ids[0]] })).toMatchObject({ id: ids[1], text: null });
  });

  it('takes what is right, says it in the audit log without the note, and takes it back', async () => {
    const { admin, judge, next, ids, records, log } = await reviewService([{ text: TEXT }]);
    const [id = ''] = ids;
    const wrong = { outcome: 'wrong', shouldPass: true, categories: ['spam'], note: 'harbour slang' };
    expect((await judge(id, wrong)).json()).toEqual({ outcome: 'wrong' });
    expect((await judge(id, { outcome: 'right' })).json()).toMatchObject({ code: 'conflict' });
    expect((await admin.send('POST', '/reviews/undo')).json()).toMatchObject({ id, text: TEXT });
    expect((await admin.send('POST', '/reviews/undo')).json()).toMatchObject({ code: 'not_found' });
    expect(await next()).toMatchObject({ id });
    const entries = await createAuditLog(records).list({ limit: 10 });
    expect(entries.slice(0, 2)).toMatchObject([
      { action: 'decision.undo', subject: id },
      { action: 'decision.judge', subject: id, details: '{"outcome":"wrong"}' },
    ]);
    expect(log() + JSON.stringify(entries)).not.toContain('harbour');
  });

  it.each([
    ['an unknown outcome', { outcome: 'maybe' }, 'outcome'],
    ['wrong without what is right', { outcome: 'wrong' }, ''],
    ['a category that is none', { outcome: 'wrong', shouldPass: true, categories: ['rude'] }, 'categories.0'],
    ['a long note', { outcome: 'right', note: 'a'.repeat(2001) }, 'note'],
  ])('refuses %s and says where', async (_what, body, path) => {
    const { judge, ids } = await reviewService([{}]);
    const refused = await judge(ids[0] ?? '', body);
    expect([refused.statusCode, refused.json<{ errors: { path: string }[] }>().errors[0]?.path]).toEqual([400, path]);
  });

  it('takes no note where none can be encrypted', async () => {
    const { judge, ids } = await reviewService([{}], { decisionKeys: [] });
    const refused = await judge(ids[0] ?? '', { outcome: 'right', note: 'a note' });
    expect(refused.json()).toMatchObject({ code: 'invalid_body', errors: [{ path: 'note' }] });
    expect((await judge(ids[0] ?? '', { outcome: 'right' })).statusCode).toBe(200);
  });

  it('is for those who are signed in, with the token', async () => {
    const { app, admin, key } = await reviewService([{}]);
    for (const path of ['/reviews/next', '/reviews/release', '/reviews/undo', '/reviews/some/judgement']) {
      const keyed = await adminRequest(app, 'POST', path, { headers: { 'x-api-key': key }, payload: {} });
      expect(keyed.json()).toMatchObject({ code: 'sign_in_required' });
      const { cookie } = admin;
      const withoutToken = await adminRequest(app, 'POST', path, { headers: { cookie }, payload: {} });
      expect(withoutToken.json()).toMatchObject({ code: 'foreign_origin' });
    }
  });
});

describe('a second review over the admin API', () => {
  it('is asked of somebody else as the first was, is told, and makes the agreement', async () => {
    const { app, admin, records, record, next, judge, outcomes, ids } = await reviewService([{ text: TEXT }]);
    const policy = { keep: { what: 'texts', days: 30 }, review: { secondReviews: 1 } };
    const path = `/projects/${record.projectId}`;
    expect((await admin.send('PUT', `${path}/policy`, { baseVersion: 0, policy })).statusCode).toBe(200);
    const bob = { name: 'bob@example.com', password: ADMIN_PASSWORD };
    const passwordHash = await adminPasswordHash();
    await createAccounts(records).create({ name: bob.name, role: 'reviewer', passwordHash }, 'owner');
    const other = await signedIn(app, bob);
    const [id = ''] = ids;
    const asked = await next();
    await judge(id, { outcome: 'wrong', shouldPass: true, categories: ['spam'], note: 'harbour slang' });
    expect((await admin.send('POST', '/reviews/next', {})).json()).toEqual({ decision: null, waiting: 0 });
    const again = nextResponse.parse((await other.send('POST', '/reviews/next', {})).json());
    expect(again).toEqual({ decision: { ...asked, claimedUntil: again.decision?.claimedUntil }, waiting: 1 });
    expect((await admin.send('POST', '/reviews/release', { ids: [] })).json()).toEqual({ waiting: 0 });
    expect((await other.send('POST', `/reviews/${id}/judgement`, { outcome: 'right' })).statusCode).toBe(200);
    expect((await admin.send('POST', '/reviews/undo')).json()).toMatchObject({ code: 'conflict' });
    const told = outcomesResponse.parse((await outcomes()).json()).reviews;
    expect(told.map(({ outcome, shouldPass }) => [outcome, shouldPass])).toEqual([
      ['wrong', true],
      ['right', false],
    ]);
    expect((await other.get(`${path}/agreement`)).json()).toMatchObject({
      pairs: 1,
      passing: { agreeing: 0, kappa: { value: 0, interval: [0, expect.any(Number)] } },
      differing: [
        {
          decisionId: id,
          first: { shouldPass: true, categories: ['spam'] },
          second: { shouldPass: false, categories: ['toxic', 'insult'] },
        },
      ],
    });
    const labels = (await admin.get(`/projects/${record.projectId}/labels/export`)).body.trimEnd().split('\n');
    expect(labels.map((line) => JSON.parse(line) as object)).toMatchObject([{ should_pass: 0, insult: 1, spam: 0 }]);
  });
});

describe('an appeal by API', () => {
  it('comes first in the queue, once, and its outcome is told by polling', async () => {
    const { appeal, next, judge, outcomes, ids, log } = await reviewService([
      { doubt: 0 },
      { review: undefined, doubt: undefined, reference: 'post-7', requestId: 'request-7' },
    ]);
    const [, id = ''] = ids;
    const made = await appeal(id, { text: '  It was about the harbour.  ' });
    expect(made.statusCode).toBe(201);
    const { id: appealId } = appealResponse.parse(made.json());
    expect((await appeal(id)).json()).toMatchObject({ status: 409, code: 'conflict' });
    expect(await next()).toMatchObject({ id, appeal: { id: appealId, text: 'It was about the harbour.' } });
    const nothing = outcomesResponse.parse((await outcomes()).json());
    expect(nothing).toEqual({ reviews: [], cursor: '0' });
    await judge(id, { outcome: 'wrong', shouldPass: true, categories: [] });
    await judge(ids[0] ?? '', { outcome: 'right' });
    const first = outcomesResponse.parse((await outcomes('?limit=1')).json());
    expect(first.reviews).toMatchObject([
      {
        decisionId: id,
        requestId: 'request-7',
        reference: 'post-7',
        appealId,
        outcome: 'reversed',
        passed: false,
        shouldPass: true,
        categories: [],
      },
    ]);
    const second = outcomesResponse.parse((await outcomes(`?cursor=${first.cursor}`)).json());
    expect(second.reviews).toMatchObject([{ decisionId: ids[0], appealId: null, outcome: 'right' }]);
    expect(outcomesResponse.parse((await outcomes(`?cursor=${second.cursor}`)).json())).toEqual({
      reviews: [],
      cursor: second.cursor,
    });
    expect(log()).not.toContain('harbour');
  });

  it('is only against decisions of the key’s own project', async () => {
    const { createKey, app, ids, admin } = await reviewService([{}]);
    const other = await createKey({ project: 'forum' });
    const headers = { 'x-api-key': other.key };
    const [id = ''] = ids;
    const foreign = await app.inject({ method: 'POST', url: `/v1/decisions/${id}/appeals`, headers, payload: {} });
    expect(foreign.json()).toMatchObject({ status: 404, code: 'not_found' });
    await admin.send('POST', `/reviews/${id}/judgement`, { outcome: 'right' });
    expect((await app.inject({ url: '/v1/reviews', headers })).json()).toEqual({ reviews: [], cursor: '0' });
    for (const url of [`/v1/decisions/${id}/appeals`, '/v1/reviews']) {
      const method = url === '/v1/reviews' ? 'GET' : 'POST';
      expect((await app.inject({ method, url, ...(method === 'POST' && { payload: {} }) })).statusCode).toBe(401);
    }
  });

  it('says what is wrong with it', async () => {
    const { appeal, outcomes, ids } = await reviewService([{}]);
    const [id = ''] = ids;
    expect((await appeal(id, { text: 'a'.repeat(2001) })).json()).toMatchObject({ errors: [{ path: 'text' }] });
    expect((await appeal('none')).statusCode).toBe(404);
    for (const query of ['?cursor=x', '?limit=0', '?limit=101']) {
      expect((await outcomes(query)).json()).toMatchObject({ status: 400, code: 'invalid_query' });
    }
    const noKey = await reviewService([{}], { decisionKeys: [] });
    const refused = await noKey.appeal(noKey.ids[0] ?? '', { text: 'but why' });
    expect(refused.json()).toMatchObject({ code: 'invalid_body', errors: [{ path: 'text' }] });
    expect((await noKey.appeal(noKey.ids[0] ?? '')).statusCode).toBe(201);
  });
});
