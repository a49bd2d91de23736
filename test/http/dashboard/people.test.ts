/** Promises of accounts, invitations, admin tokens, sessions and the audit log, over HTTP. */
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { sessionResponse } from '../../../src/dashboard/routes/admin-schemas.js';
import {
  accountListResponse,
  auditResponse,
  createdInvitationResponse,
  createdTokenResponse,
  sessionListResponse,
  tokenListResponse,
} from '../../../src/dashboard/people/people-schemas.js';
import { verified } from '../../../src/people/audit-lines.js';
import { adminRequest, clientOf, signedIn, type AdminClient } from '../../support/dashboard/admin-client.js';
import { ADMIN_PASSWORD, createHttpService, type HttpService } from '../../support/http-service.js';

/** Made here, so that no scanner takes it for somebody's. */
const PASSWORD = ['a', 'password', 'of', 'their', 'own'].join(' ');
const OTHER_PASSWORD = ['another', PASSWORD].join(' ');

async function setUp() {
  let time = Date.parse('2030-01-01T00:00:00Z');
  const now = () => new Date(time);
  const service = await createHttpService({ dashboard: { now } });
  const owner = await signedIn(service.app);
  return { ...service, owner, advanceDays: (days: number) => void (time += days * 24 * 3_600_000) };
}

async function invited(owner: AdminClient, name: string, role: string, more: object = {}) {
  const answer = await owner.send('POST', '/invitations', { name, role, ...more });
  expect(answer.statusCode).toBe(201);
  const { path, invitation } = createdInvitationResponse.parse(answer.json());
  return { token: path.replace('/dashboard#invitation=', ''), invitation };
}

const accept = (app: HttpService['app'], token: string, password = PASSWORD) =>
  adminRequest(app, 'POST', '/invitations/accept', { payload: { token, password } });

async function memberOf(app: HttpService['app'], owner: AdminClient, name: string, role: string): Promise<AdminClient> {
  return clientOf(app, await accept(app, (await invited(owner, name, role)).token));
}

const statusOf = async (answer: Promise<{ statusCode: number }>): Promise<number> => (await answer).statusCode;

async function actions(owner: AdminClient, query = ''): Promise<string[]> {
  const { entries } = auditResponse.parse((await owner.get(`/audit${query}`)).json());
  return entries.map(({ actor, action, subject }) => `${actor.replace(/^acc_\S+ /, '')} ${action} ${subject}`.trim());
}

describe('an invitation', () => {
  it('leads to an account that signs in with a password of its own, and is worth nothing afterwards', async () => {
    const { app, owner } = await setUp();
    const { token, invitation } = await invited(owner, 'Ann@Example.com', 'editor');
    const opened = await adminRequest(app, 'POST', '/invitations/open', { payload: { token } });
    expect(opened.json()).toEqual({ name: 'ann@example.com', role: 'editor', resetsPassword: false });
    expect((await owner.get('/invitations')).body).not.toContain(token);
    expect(await statusOf(accept(app, token, 'too short'))).toBe(400);
    const accepted = await accept(app, token);
    expect(sessionResponse.parse(accepted.json())).toMatchObject({ name: 'ann@example.com', role: 'editor' });
    expect((await clientOf(app, accepted).get('/session')).json()).toMatchObject({ name: 'ann@example.com' });
    const ann = await signedIn(app, { name: ' ANN@example.com', password: PASSWORD });
    expect(await statusOf(ann.send('POST', '/projects', { name: 'forum' }))).toBe(201);
    expect([
      await statusOf(accept(app, token)),
      await statusOf(owner.send('DELETE', `/invitations/${invitation.id}`)),
    ]).toEqual([409, 404]);
  });

  it('is refused once it has expired or was withdrawn', async () => {
    const { app, owner, advanceDays } = await setUp();
    const { token: withdrawn, invitation } = await invited(owner, 'ann', 'viewer');
    const { token: short } = await invited(owner, 'bob', 'viewer', { expiresInDays: 0.01 });
    const { token: expired } = await invited(owner, 'eve', 'viewer');
    expect(await statusOf(owner.send('DELETE', `/invitations/${invitation.id}`))).toBe(204);
    expect(await statusOf(accept(app, withdrawn))).toBe(409);
    advanceDays(0.01);
    expect(await statusOf(accept(app, short))).toBe(409);
    advanceDays(7);
    expect(await statusOf(accept(app, expired))).toBe(409);
    const again = await signedIn(app);
    expect(accountListResponse.parse((await again.get('/accounts')).json()).accounts).toEqual([]);
  });

  it('lets somebody in whatever others try from their address', async () => {
    const { app, owner } = await setUp();
    const { token } = await invited(owner, 'ann', 'viewer');
    for (let count = 0; count < 10; count += 1) {
      await adminRequest(app, 'POST', '/session', { payload: { password: 'wrong' } });
    }
    expect(await statusOf(adminRequest(app, 'POST', '/session', { payload: { password: 'wrong' } }))).toBe(429);
    expect(await statusOf(accept(app, token))).toBe(200);
  });
});

describe('an account', () => {
  it('has the role that it was given last, with the very next request', async () => {
    const { app, owner } = await setUp();
    const ann = await memberOf(app, owner, 'ann', 'editor');
    const [account] = accountListResponse.parse((await owner.get('/accounts')).json()).accounts;
    expect(account).toMatchObject({ name: 'ann', hasPassword: true, signsInElsewhere: false, createdBy: 'owner' });
    expect(await statusOf(ann.send('POST', '/projects', { name: 'one' }))).toBe(201);
    await owner.send('PATCH', `/accounts/${account?.id ?? ''}`, { role: 'viewer' });
    const refused = await ann.send('POST', '/projects', { name: 'two' });
    expect(refused.json()).toMatchObject({ code: 'role_too_low' });
    await owner.send('PATCH', `/accounts/${account?.id ?? ''}`, { disabled: true });
    expect(await statusOf(ann.get('/projects'))).toBe(401);
    const signIn = (password: string) => adminRequest(app, 'POST', '/session', { payload: { name: 'ann', password } });
    expect(await statusOf(signIn(PASSWORD))).toBe(401);
    await owner.send('PATCH', `/accounts/${account?.id ?? ''}`, { disabled: false });
    expect(await statusOf(signIn(PASSWORD))).toBe(200);
  });

  it('is not told apart from one that is not there, and its password is not that of the service', async () => {
    const { app, owner } = await setUp();
    await memberOf(app, owner, 'ann', 'viewer');
    const attempt = async (name: string | undefined, password: string) => {
      const answer = await adminRequest(app, 'POST', '/session', { payload: { name, password } });
      return [answer.statusCode, answer.json<{ detail?: string }>().detail];
    };
    const [status, detail] = await attempt('ann', ADMIN_PASSWORD);
    expect(status).toBe(401);
    expect(await attempt('nobody at all', ADMIN_PASSWORD)).toEqual([status, detail]);
    expect(await attempt(undefined, PASSWORD)).toEqual([401, 'This is not the password.']);
    expect((await attempt('owner', ADMIN_PASSWORD))[0]).toBe(200);
  });

  it('changes its own password with the present one, which ends its other sessions and not this one', async () => {
    const { app, owner } = await setUp();
    const ann = await memberOf(app, owner, 'ann', 'viewer');
    const other = await signedIn(app, { name: 'ann', password: PASSWORD });
    const body = { current: PASSWORD, password: OTHER_PASSWORD };
    expect(await statusOf(ann.send('PUT', '/account/password', { ...body, current: OTHER_PASSWORD }))).toBe(401);
    expect(await statusOf(ann.send('PUT', '/account/password', { ...body, password: 'short' }))).toBe(400);
    const changed = clientOf(app, await ann.send('PUT', '/account/password', body));
    expect([await statusOf(changed.get('/session')), await statusOf(other.get('/session'))]).toEqual([200, 401]);
    await signedIn(app, { name: 'ann', password: OTHER_PASSWORD });
    await expect(signedIn(app, { name: 'ann', password: PASSWORD })).rejects.toThrow('wrong_password');
    expect(
      await statusOf(owner.send('PUT', '/account/password', { current: ADMIN_PASSWORD, password: PASSWORD })),
    ).toBe(409);
  });

  it('gets a new password by a link that an owner makes', async () => {
    const { app, owner } = await setUp();
    const ann = await memberOf(app, owner, 'ann', 'viewer');
    const [account] = accountListResponse.parse((await owner.get('/accounts')).json()).accounts;
    const made = createdInvitationResponse.parse(
      (await owner.send('POST', `/accounts/${account?.id ?? ''}/reset-password`)).json(),
    );
    expect(made.invitation).toMatchObject({ name: 'ann', resetsPassword: true });
    await accept(app, made.path.split('=')[1] ?? '', OTHER_PASSWORD);
    expect(await statusOf(ann.get('/session'))).toBe(401);
    await signedIn(app, { name: 'ann', password: OTHER_PASSWORD });
    expect(await statusOf(owner.send('POST', '/accounts/acc_none/reset-password'))).toBe(404);
  });

  it('is known by its browsers to its own attempts alone, and all of them together guess no faster than one', async () => {
    const { app, owner } = await setUp();
    const first = await accept(app, (await invited(owner, 'ann', 'viewer')).token);
    const second = await adminRequest(app, 'POST', '/session', { payload: { name: 'ann', password: PASSWORD } });
    const browserOf = ({ headers }: typeof first) => [headers['set-cookie'] ?? []].flat()[1]?.split(';')[0] ?? '';
    const attempt = (cookie: string, payload: object, remoteAddress = '203.0.113.9') =>
      statusOf(adminRequest(app, 'POST', '/session', { payload, headers: { cookie }, remoteAddress }));
    for (let count = 0; count < 10; count += 1) expect(await attempt('', { password: 'wrong' })).toBe(401);
    // The address has no attempts left: for others it does not help to have been ann.
    expect(await attempt(browserOf(first), { password: ADMIN_PASSWORD })).toBe(429);
    expect(await attempt(browserOf(first), { name: 'ann', password: PASSWORD })).toBe(200);
    const guesses = [];
    for (let count = 0; count < 10; count += 1) {
      guesses.push(await attempt(browserOf(count % 2 === 0 ? first : second), { name: 'ann', password: 'wrong' }));
    }
    expect(guesses).toEqual([...Array<number>(9).fill(401), 429]);
  }, 60_000);
});

describe('sessions', () => {
  it('are seen and ended by owners, those of one’s own account by everybody', async () => {
    const { app, owner } = await setUp();
    const ann = await memberOf(app, owner, 'ann', 'viewer');
    const other = await signedIn(app, { name: 'ann', password: PASSWORD });
    const list = async (client: AdminClient, path: string) =>
      sessionListResponse.parse((await client.get(path)).json()).sessions;
    const all = await list(owner, '/sessions');
    expect(all.map(({ name, current }) => [name, current]).sort()).toEqual([
      ['ann', false],
      ['ann', false],
      ['owner', true],
    ]);
    const own = await list(ann, '/account/sessions');
    expect(own.map(({ name, address }) => [name, address])).toEqual(Array(2).fill(['ann', '127.0.0.1']));
    const ownersId = all.find(({ name }) => name === 'owner')?.id ?? '';
    expect(await statusOf(ann.send('DELETE', `/account/sessions/${ownersId}`))).toBe(404);
    const othersId = own.find(({ current }) => !current)?.id ?? '';
    expect(await statusOf(ann.send('DELETE', `/account/sessions/${othersId}`))).toBe(204);
    expect(await statusOf(other.get('/session'))).toBe(401);
    const annsId = own.find(({ current }) => current)?.id ?? '';
    expect(await statusOf(owner.send('DELETE', `/sessions/${annsId}`))).toBe(204);
    expect(await statusOf(ann.get('/session'))).toBe(401);
    const again = await signedIn(app, { name: 'ann', password: PASSWORD });
    const accountId = (await list(again, '/account/sessions'))[0]?.accountId ?? '';
    expect(await statusOf(owner.send('DELETE', `/accounts/${accountId}/sessions`))).toBe(204);
    expect(await statusOf(again.get('/session'))).toBe(401);
  });
});

describe('an admin token', () => {
  async function created(owner: AdminClient, body: object) {
    const answer = await owner.send('POST', '/tokens', body);
    return createdTokenResponse.parse(answer.json());
  }

  it('stands for a session in scripts, without a cookie or a token against forged requests', async () => {
    const { app, owner, advanceDays } = await setUp();
    const { token, record } = await created(owner, { name: 'ci', role: 'editor', expiresInDays: 7 });
    const headers = { authorization: `Bearer ${token}` };
    const send = (method: 'GET' | 'POST', path: string, more: object = {}) =>
      adminRequest(app, method, path, {
        headers: { ...headers, ...more },
        ...(method === 'POST' && { payload: { name: 'forum' } }),
      });
    expect((await send('GET', '/session')).json()).toEqual({
      name: 'token:ci',
      role: 'editor',
      csrfToken: null,
      expiresAt: null,
    });
    expect(await statusOf(send('POST', '/projects'))).toBe(201);
    expect(await statusOf(send('POST', '/projects', { origin: 'https://evil.example' }))).toBe(403);
    expect(await actions(owner, '?actor=token:ci')).toEqual(['token:ci project.create']);
    const [listed] = tokenListResponse.parse((await owner.get('/tokens')).json()).tokens;
    expect(listed).toMatchObject({
      name: 'ci',
      start: record.start,
      revokedAt: null,
      usedAt: '2030-01-01T00:00:00.000Z',
    });
    expect((await owner.get('/tokens')).body).not.toContain(token);
    advanceDays(7);
    expect(await statusOf(send('GET', '/session'))).toBe(401);
  });

  it('ends when it is revoked; a made-up one and an API key are none, though a session be there', async () => {
    const { app, owner, key } = await setUp();
    const { token, record } = await created(owner, { name: 'ci', role: 'viewer', expiresInDays: null });
    const status = (bearer: string, more: object = {}) =>
      statusOf(adminRequest(app, 'GET', '/projects', { headers: { authorization: `Bearer ${bearer}`, ...more } }));
    expect(await status(token)).toBe(200);
    expect(await statusOf(owner.send('POST', `/tokens/${record.id}/revoke`))).toBe(200);
    expect(await status(token, { cookie: owner.cookie })).toBe(401);
    expect(await status(`${['parapet', 'admin'].join('_')}_${'a'.repeat(43)}`)).toBe(401);
    expect(await status(key)).toBe(401);
    // What a proxy in front says in this header is not for us.
    expect(await status('of-a-proxy', { cookie: owner.cookie })).toBe(200);
    expect(await statusOf(owner.send('POST', `/tokens/${record.id}/revoke`))).toBe(409);
    expect(await statusOf(owner.send('POST', '/tokens', { name: 'two words', role: 'viewer' }))).toBe(400);
  });
});

describe('the audit log', () => {
  it('says who did what, without a secret, page by page', async () => {
    const { app, owner } = await setUp();
    const { token } = await invited(owner, 'ann', 'editor');
    const ann = clientOf(app, await accept(app, token));
    await ann.send('POST', '/projects', { name: 'forum' });
    await adminRequest(app, 'POST', '/session', { payload: { name: 'ann', password: 'wrong' } });
    await adminRequest(app, 'POST', '/session', { payload: { name: 'TYPED-BY-MISTAKE', password: 'wrong' } });
    await ann.send('PUT', '/account/password', { current: PASSWORD, password: OTHER_PASSWORD });
    const accountId = accountListResponse.parse((await owner.get('/accounts')).json()).accounts[0]?.id ?? '';
    const told = await actions(owner);
    expect(told).toEqual([
      `ann account.password ${accountId}`,
      'ann session.start',
      'nobody session.refuse',
      `nobody session.refuse ${accountId}`,
      'ann project.create',
      'ann session.start',
      `ann invitation.accept ${accountId}`,
      expect.stringMatching(/^owner invitation.create inv_\S+$/),
      'owner session.start',
    ]);
    const first = auditResponse.parse((await owner.get('/audit?limit=5')).json());
    expect(first.next).toBe(first.entries.at(-1)?.sequence);
    expect(await actions(owner, `?limit=5&before=${first.next ?? 0}`)).toEqual(told.slice(5));
    expect(await actions(owner, '?actor=ann&action=session')).toEqual(['ann session.start', 'ann session.start']);
    const body = (await owner.get('/audit')).body;
    for (const secret of [token, PASSWORD, OTHER_PASSWORD, 'TYPED', 'wrong']) expect(body).not.toContain(secret);
  });

  it('is exported as lines that can be checked, and says so itself', async () => {
    const { owner } = await setUp();
    for (const name of ['one', 'two']) await owner.send('POST', '/projects', { name });
    const { headers, body } = await owner.get('/audit/export');
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-disposition': 'attachment; filename="audit.jsonl"',
    });
    expect(await verified(Readable.from([body]))).toMatchObject({ last: { action: 'audit.export', actor: 'owner' } });
  });

  it('is not filled by whoever guesses passwords', async () => {
    const { app, owner } = await setUp();
    for (let count = 0; count < 30; count += 1) {
      await adminRequest(app, 'POST', '/session', {
        payload: { name: 'ann', password: 'wrong' },
        remoteAddress: `203.0.113.${count}`,
      });
    }
    expect(await actions(owner, '?action=session.refuse')).toHaveLength(20);
  }, 60_000);
});
