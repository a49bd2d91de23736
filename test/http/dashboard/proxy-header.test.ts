/** Promises of signing in by the header of a proxy: whom it names gets in, and nobody else by whatever header. */
import { describe, expect, it } from 'vitest';
import { sessionResponse } from '../../../src/dashboard/routes/admin-schemas.js';
import { createAccounts } from '../../../src/people/accounts.js';
import { createAuditLog } from '../../../src/people/audit-log.js';
import type { Role } from '../../../src/people/roles.js';
import { adminRequest, signedIn } from '../../support/dashboard/admin-client.js';
import { createHttpService } from '../../support/http-service.js';
import { requestText, sendBytes } from '../../support/raw-http.js';

const PROXY = '10.1.2.3';
const HEADER = 'remote-user';

/** A service behind a proxy that is believed; `ann` is an editor. */
async function setUp({ defaultRole, trustedProxies = ['10.0.0.0/8'] }: Options = {}) {
  const service = await createHttpService({
    trustedProxies,
    dashboard: {
      signInSettings: {
        publicUrl: undefined,
        oidc: undefined,
        header: { name: HEADER, defaultRole },
        signOutUrl: '/oauth2/sign_out',
      },
    },
  });
  const accounts = createAccounts(service.records);
  const ann = await accounts.create({ name: 'ann', role: 'editor' }, 'owner');

  /** @param from where the connection comes from */
  function ask(method: 'GET' | 'POST' | 'DELETE', path: string, headers: Record<string, string>, from = PROXY) {
    return adminRequest(service.app, method, path, { headers, remoteAddress: from });
  }
  const enter = (headers: Record<string, string>, from?: string) => ask('POST', '/session/header', headers, from);

  async function enteredAs(name: string) {
    const answer = await enter({ [HEADER]: name });
    const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
    return { cookie, ...sessionResponse.parse(answer.json()) };
  }
  return { ...service, accounts, ann, ask, enter, enteredAs };
}

interface Options {
  readonly defaultRole?: Role;
  readonly trustedProxies?: readonly string[];
}

describe('signing in by the header of a proxy', () => {
  it('begins a session with a token like any other, as the account of that name', async () => {
    const { ask, enteredAs, ann, records } = await setUp();
    const { cookie, csrfToken, name, role } = await enteredAs(' Ann ');
    expect([name, role]).toEqual(['ann', 'editor']);
    expect((await ask('DELETE', '/session', { cookie, [HEADER]: 'ann' })).statusCode).toBe(403);
    const [entry] = await createAuditLog(records).list({ limit: 1 });
    expect(entry).toMatchObject({
      action: 'session.start',
      actor: `${ann.id} ann`,
      details: `{"address":"${PROXY}","way":"header"}`,
    });
    const headers = { cookie, [HEADER]: 'ann', 'x-csrf-token': csrfToken ?? '' };
    expect((await ask('DELETE', '/session', headers)).statusCode).toBe(204);
    expect((await ask('GET', '/session', headers)).statusCode).toBe(401);
  });

  it('tells the page whom the proxy names, and where its sign-out is', async () => {
    const { ask } = await setUp();
    const ways = { password: true, oidc: null, signOutUrl: '/oauth2/sign_out' };
    expect((await ask('GET', '/sign-in-ways', { [HEADER]: 'ann' })).json()).toEqual({ ...ways, header: 'ann' });
    expect((await ask('GET', '/sign-in-ways', {})).json()).toEqual({ ...ways, header: null });
  });

  it('holds only as long as the proxy names the same person', async () => {
    const { accounts, ask, enteredAs } = await setUp();
    await accounts.create({ name: 'ben', role: 'owner' }, 'owner');
    const { cookie } = await enteredAs('ann');
    const status = async (headers: Record<string, string>, from?: string) =>
      (await ask('GET', '/session', { cookie, ...headers }, from)).statusCode;
    expect(await status({ [HEADER]: 'ann' })).toBe(200);
    expect(await status({})).toBe(401);
    expect(await status({ [HEADER]: 'ben' })).toBe(401);
    expect(await status({ [HEADER]: 'ann' }, '203.0.113.9')).toBe(401);
  });

  it('leaves sessions of passwords alone', async () => {
    const { app, ask } = await setUp();
    const { cookie } = await signedIn(app);
    expect((await ask('GET', '/session', { cookie, [HEADER]: 'ann' })).statusCode).toBe(200);
  });

  it.each([
    ['loopback', '127.0.0.1', '10.1.2.3'],
    ['uniquelocal', '192.168.7.7', '203.0.113.9'],
    ['::1', '::1', '127.0.0.1'],
    ['fd00::/8', 'fd12::1', 'fe80::1%eth0'],
    ['10.1.2.3', '::ffff:10.1.2.3', '10.1.2.4'],
  ])('believes proxies of %s, as %s is, and not %s, whatever that forwards', async (network, inside, outside) => {
    const { enter, log } = await setUp({ trustedProxies: [network] });
    expect((await enter({ [HEADER]: 'ann' }, inside)).statusCode).toBe(200);
    const ignored = 'it did not come from TRUST_PROXY';
    expect(log()).not.toContain(ignored);
    for (let count = 0; count < 2; count += 1) {
      expect((await enter({ [HEADER]: 'ann', 'x-forwarded-for': inside }, outside)).statusCode).toBe(403);
    }
    expect(log().split(ignored)).toHaveLength(2);
  });

  it.each([
    ['no header', {}],
    ['an empty one', { [HEADER]: '' }],
    ['the name of another header', { remote_user: 'ann', 'x-remote-user': 'ann' }],
    ['two names in one', { [HEADER]: 'ben, ann' }],
    ['control characters', { [HEADER]: 'ann\u00c2\u0085' }],
    ['a name that is too long', { [HEADER]: 'a'.repeat(201) }],
    ['bytes that are no UTF-8', { [HEADER]: 'ann\u00ff' }],
    ['the owner’s name', { [HEADER]: 'owner' }],
    ['somebody without an account', { [HEADER]: 'ben' }],
  ] as [string, Record<string, string>][])('refuses %s', async (_, headers) => {
    const { accounts, enter } = await setUp();
    const answer = await enter(headers);
    expect([answer.statusCode, answer.json<{ code: string }>().code, answer.headers['set-cookie']]).toEqual([
      403,
      'sign_in_refused',
      undefined,
    ]);
    expect(await accounts.list()).toHaveLength(1);
  });

  it('refuses a header that is there twice, of which one may be the client’s own', async () => {
    const { listen } = await setUp({ trustedProxies: ['loopback'] });
    const port = await listen();
    const request = (lines: string): string =>
      requestText('POST', '/dashboard/api/session/header', { Connection: 'close' }).replace(
        '\r\n\r\n',
        `\r\n${lines}\r\n`,
      );
    expect((await sendBytes(port, request('Remote-User: ann\r\n'))).status).toBe(200);
    expect((await sendBytes(port, request('Remote-User: ann\r\nREMOTE-USER: ann\r\n'))).status).toBe(403);
  });

  it('refuses a disabled account, and ends its session', async () => {
    const { accounts, ann, ask, enter, enteredAs } = await setUp();
    const { cookie } = await enteredAs('ann');
    await accounts.change(ann.id, { disabled: true });
    expect((await ask('GET', '/session', { cookie, [HEADER]: 'ann' })).statusCode).toBe(401);
    expect((await enter({ [HEADER]: 'ann' })).statusCode).toBe(403);
  });

  it('refuses pages of other sites', async () => {
    const { enter } = await setUp();
    expect((await enter({ [HEADER]: 'ann', 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
  });

  it('makes accounts for newcomers where there is a role for them', async () => {
    const { accounts, enteredAs } = await setUp({ defaultRole: 'viewer' });
    expect(await enteredAs(Buffer.from('zoë').toString('latin1'))).toMatchObject({ name: 'zoë', role: 'viewer' });
    expect(await accounts.find({ name: 'zoë' })).toMatchObject({ createdBy: 'header' });
  });
});
