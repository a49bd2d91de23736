/** Promises of what is done with kept decisions: by API key in its own project and without texts, on the page as the role allows. */
import { describe, expect, it } from 'vitest';
import { decisionSearchResponse } from '../../../src/dashboard/routes/decision-schemas.js';
import { ROLES } from '../../../src/people/roles.js';
import { keptService } from './kept-service.js';

const TEXTS = { what: 'texts', days: 30, reference: 'id' } as const;
const INSULT = 'You are an idiot.';

async function withDecisions() {
  const service = await keptService(TEXTS);
  const ids: string[] = [];
  for (const [content, id] of [
    [INSULT, 'ann'],
    ['Good morning.', 'bob'],
    ['Thanks.', 'ann'],
  ]) {
    const { headers } = await service.analyze({ content, metadata: { id } });
    ids.push(String(headers['x-decision-id']));
  }
  await service.decisionsKept();
  const other = await service.createKey({ project: 'forum' });
  return { ...service, ids, otherKey: other.key };
}

const references = (body: string) =>
  decisionSearchResponse
    .pick({ next: true })
    .extend({ decisions: decisionSearchResponse.shape.decisions.element.pick({ reference: true }).array() })
    .parse(JSON.parse(body))
    .decisions.map(({ reference }) => reference);

describe('with an API key', () => {
  it('the decisions of its project are listed, newest first, page by page, and no text', async () => {
    const { asKey, ids } = await withDecisions();
    const first = await asKey('GET', '/v1/decisions?limit=2');
    const { next } = first.json<{ next: string }>();
    expect(references(first.body)).toEqual(['ann', 'bob']);
    const second = await asKey('GET', `/v1/decisions?limit=2&cursor=${next}`);
    expect(second.json()).toMatchObject({ decisions: [{ id: ids[0], reference: 'ann' }], next: null });
    expect(first.body + second.body).not.toMatch(/idiot|morning|text/);
    expect(references((await asKey('GET', '/v1/decisions?reference=bob')).body)).toEqual(['bob']);
    expect(references((await asKey('GET', '/v1/decisions?since=2099-01-01T00:00:00Z')).body)).toEqual([]);
  });

  it('those of another project are as unknown as none, and stay', async () => {
    const { asKey, ids, otherKey } = await withDecisions();
    const unknown = await asKey('GET', `/v1/decisions/${'0'.repeat(26)}`, otherKey);
    const foreign = await asKey('GET', `/v1/decisions/${ids[0] ?? ''}`, otherKey);
    expect([unknown.statusCode, foreign.statusCode]).toEqual([404, 404]);
    expect(foreign.json<{ detail: string }>().detail).toBe(unknown.json<{ detail: string }>().detail);
    expect(references((await asKey('GET', '/v1/decisions', otherKey)).body)).toEqual([]);
    expect((await asKey('DELETE', '/v1/decisions?reference=ann', otherKey)).json()).toEqual({ deleted: 0 });
    expect((await asKey('GET', `/v1/decisions/${ids[0] ?? ''}`)).statusCode).toBe(200);
  });

  it('those of a reference are deleted', async () => {
    const { asKey } = await withDecisions();
    expect((await asKey('DELETE', '/v1/decisions?reference=ann')).json()).toEqual({ deleted: 2 });
    expect(references((await asKey('GET', '/v1/decisions')).body)).toEqual(['bob']);
  });

  it.each([
    ['?cursor=abc', 'cursor must be `next` of the page before.'],
    ['?limit=201', 'limit must be a whole number from 1 to 200.'],
    ['?since=yesterday', 'since must be a time such as 2031-05-04T10:30:00Z.'],
    ['?reference=%00', 'reference must be 1 to 200 characters without control characters.'],
  ])('%s is refused, with what to do', async (query, detail) => {
    const { asKey } = await keptService();
    const answer = await asKey('GET', `/v1/decisions${query}`);
    expect([answer.statusCode, answer.json<{ detail: string }>().detail]).toEqual([400, detail]);
  });

  it('nothing is deleted without a reference, and nothing is told without a key', async () => {
    const { asKey, app } = await withDecisions();
    expect((await asKey('DELETE', '/v1/decisions')).statusCode).toBe(400);
    for (const url of ['/v1/decisions', `/v1/decisions/${'0'.repeat(26)}`]) {
      expect((await app.inject(url)).statusCode).toBe(401);
    }
  });
});

describe('on the page', () => {
  it('a search takes every filter', async () => {
    const { owner, projectId, ids } = await withDecisions();
    const found = async (query: string) => {
      const answer = await owner.get(`/decisions?projectId=${projectId}${query}`);
      return decisionSearchResponse.parse(answer.json()).decisions.map(({ id }) => ids.indexOf(id));
    };
    expect(await found('')).toEqual([2, 1, 0]);
    expect(await found('&passed=false')).toEqual([0]);
    expect(await found('&category=insult&minScore=8&maxScore=8')).toEqual([0]);
    expect(await found('&reference=ann&passed=true')).toEqual([2]);
    expect(await found('&door=/v1/analyze/batch')).toEqual([]);
    expect(await found('&language=de')).toEqual([]);
    expect(await found('&review=open')).toEqual([]);
    expect(await found('&to=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await found('&from=2020-01-01T00:00:00Z&limit=1')).toEqual([2]);
    const [one] = decisionSearchResponse.parse((await owner.get(`/decisions?projectId=${projectId}`)).json()).decisions;
    expect(await found(`&requestId=${one?.requestId ?? ''}`)).toEqual([2]);
  });

  it.each(ROLES)('a %s may do what the role allows, and no more', async (role) => {
    const { signedInAs, projectId, ids } = await withDecisions();
    const client = await signedInAs(role);
    const list = await client.get(`/decisions?projectId=${projectId}`);
    const single = await client.get(`/decisions/${ids[0] ?? ''}`);
    const kept = await client.get(`/decisions/kept?projectId=${projectId}`);
    expect([list.statusCode, single.statusCode, kept.statusCode]).toEqual([200, 200, 200]);
    const reads = role !== 'viewer';
    expect(single.json()).toMatchObject(
      reads ? { text: INSULT, textState: 'shown' } : { text: null, textState: 'withheld' },
    );
    expect(list.body.includes(INSULT)).toBe(reads);
    const edits = role === 'editor' || role === 'owner';
    expect((await client.get(`/decisions/export?projectId=${projectId}`)).statusCode).toBe(edits ? 200 : 403);
    const deleted = await client.send('DELETE', `/decisions?projectId=${projectId}&reference=ann`);
    expect(deleted.statusCode).toBe(edits ? 200 : 403);
  });

  it('a deletion is in the audit log, and whose decisions they were is not', async () => {
    const { owner, projectId, records } = await withDecisions();
    expect((await owner.send('DELETE', `/decisions?projectId=${projectId}&reference=ann`)).json()).toEqual({
      deleted: 2,
    });
    const log = await records.read("select subject, details from parapet.audit where action = 'decision.delete'");
    expect(log).toEqual([{ subject: projectId, details: '{"deleted":2}' }]);
  });

  it('says what is kept, and what could not be', async () => {
    const { owner, projectId, records } = await withDecisions();
    const today = new Date().toISOString().slice(0, 10);
    await records.change((ask) => ask('insert into parapet.decision_loss values ($1, $2, 5)', [projectId, today]));
    expect((await owner.get(`/decisions/kept?projectId=${projectId}`)).json()).toEqual({
      ...TEXTS,
      canKeepTexts: true,
      lost: 5,
    });
  });

  it('a text whose key is gone is shown as that', async () => {
    const { analyze, decisionsKept, projectId, owner, records } = await keptService(TEXTS);
    const { headers } = await analyze({ content: INSULT });
    await decisionsKept();
    await records.change((ask) => ask('update parapet.decision set content = $1', [new Uint8Array(60)]));
    const single = await owner.get(`/decisions/${String(headers['x-decision-id'])}`);
    expect(single.json()).toMatchObject({ projectId, text: null, textState: 'locked' });
  });

  it('an export has every decision, and no cell of its table is a formula', async () => {
    const { analyze, decisionsKept, owner, projectId } = await keptService(TEXTS);
    const texts = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', 'a "quoted", text\nof two lines', '<b>bold</b>'];
    for (const [index, content] of texts.entries()) await analyze({ content, metadata: { id: `=${index}` } });
    await decisionsKept();
    const csv = await owner.get(`/decisions/export?projectId=${projectId}&format=csv`);
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="decisions.csv"',
      'cache-control': 'no-store',
    });
    const cells = csv.body.split(/\r\n/).flatMap((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/));
    expect(cells.filter((cell) => /^"?[=+\-@\t]/.test(cell))).toEqual([]);
    expect(csv.body).toContain('"a ""quoted"", text\nof two lines"');
    const jsonl = await owner.get(`/decisions/export?projectId=${projectId}`);
    const read = jsonl.body
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { text: string }).text);
    expect(read).toEqual(texts.toReversed());
  });

  it('texts cannot be switched on where there is no key for them', async () => {
    const { owner, projectId } = await keptService({ what: 'texts', days: 1 }, []);
    const put = (keep: object) =>
      owner.send('PUT', `/projects/${projectId}/policy`, { baseVersion: 1, policy: { keep } });
    const refused = { code: 'invalid_body', detail: expect.stringContaining('without DECISIONS_KEY') as unknown };
    expect((await put({ what: 'texts', days: 30 })).json()).toMatchObject(refused);
    expect((await put({ what: 'verdicts', days: 0 })).json()).toMatchObject({
      errors: [{ path: 'policy.keep.days', message: 'must be a whole number from 1 to 3650' }],
    });
    expect((await put({ what: 'verdicts', days: 30 })).statusCode).toBe(200);
    const restore = (version: number) =>
      owner.send('POST', `/projects/${projectId}/policy/restore`, { version, baseVersion: 2 });
    expect((await restore(1)).json()).toMatchObject(refused);
    expect((await restore(0)).json()).toMatchObject({ version: 3, policy: {} });
  });
});
