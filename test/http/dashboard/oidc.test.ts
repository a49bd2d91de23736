/** Promises of signing in with OpenID Connect, with a real provider: who gets in, as what, and what leads nowhere. */
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, it } from 'vitest';
import { createAccounts } from '../../../src/people/accounts.js';
import { createAuditLog } from '../../../src/people/audit-log.js';
import type { OidcSettings } from '../../../src/dashboard/session/oidc.js';
import { createInvitations } from '../../../src/people/invitations.js';
import { sessionResponse } from '../../../src/dashboard/routes/admin-schemas.js';
import { adminRequest, signedIn } from '../../support/dashboard/admin-client.js';
import { createHttpService } from '../../support/http-service.js';
import { signInSettingsOf, startOidcProvider, type Person } from '../../support/dashboard/oidc.js';

const PUBLIC_URL = 'http://127.0.0.1:1';
const ANN: Person = { sub: 'ann-1', email: 'Ann@Example.com', email_verified: true };
const HTML = { accept: 'text/html,*/*' };

/** A service with a provider; nobody has an account. */
async function setUp(settings: Partial<OidcSettings> = {}) {
  const provider = await startOidcProvider(PUBLIC_URL);
  let time = Date.now();
  const service = await createHttpService({
    dashboard: {
      signInSettings: signInSettingsOf(provider, PUBLIC_URL, settings),
      now: () => new Date(time),
    },
  });
  const { app, records } = service;

  /** @returns where the browser goes, and the cookie that it keeps */
  async function begin(to = '') {
    const answer = await adminRequest(app, 'GET', `/oidc/start${to}`, { headers: HTML });
    return { address: String(answer.headers.location), cookie: cookieOf(answer), answer };
  }

  function comeBack({ pathname, search }: URL, cookie: string, headers: Record<string, string> = HTML) {
    return app.inject({ url: pathname + search, headers: { ...headers, cookie } });
  }

  async function signIn(person: Person | undefined, headers?: Record<string, string>) {
    provider.person = person;
    const { address, cookie } = await begin();
    return comeBack(await provider.visit(address), cookie, headers);
  }

  return {
    ...service,
    provider,
    accounts: createAccounts(records),
    audit: createAuditLog(records),
    begin,
    comeBack,
    signIn,
    advanceMinutes: (minutes: number) => void (time += minutes * 60_000),
  };
}

/** The one that has a value. */
function cookieOf({ headers }: LightMyRequestResponse): string {
  const pairs = [headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';')[0] ?? '');
  return pairs.find((pair) => !pair.endsWith('=')) ?? '';
}

const leadsTo = ({ statusCode, headers }: LightMyRequestResponse) => [statusCode, headers.location];
const refused = (reason: string) => [303, `/dashboard#refused=${reason}`];

describe('signing in with OpenID Connect', () => {
  it('lets in whom an owner made an account for, by a verified address, with a session like any other', async () => {
    const { app, accounts, audit, signIn } = await setUp();
    const account = await accounts.create({ name: 'ann@example.com', role: 'editor' }, 'owner');
    const answer = await signIn(ANN);
    expect(leadsTo(answer)).toEqual([303, '/dashboard']);
    const cookie = cookieOf(answer);
    const session = sessionResponse.parse((await adminRequest(app, 'GET', '/session', { headers: { cookie } })).json());
    expect(session).toMatchObject({ name: 'ann@example.com', role: 'editor' });
    const payload = { name: 'forum' };
    const withoutToken = await adminRequest(app, 'POST', '/projects', { headers: { cookie }, payload });
    expect(withoutToken.statusCode).toBe(403);
    const headers = { cookie, 'x-csrf-token': session.csrfToken ?? '' };
    expect((await adminRequest(app, 'POST', '/projects', { headers, payload })).statusCode).toBe(201);
    const [, entry] = await audit.list({ limit: 2 });
    expect(entry).toMatchObject({ action: 'session.start', details: '{"address":"127.0.0.1","way":"oidc"}' });
    expect(entry?.actor).toContain(account.id);
  });

  it('knows somebody again by the subject alone, whatever the address has become', async () => {
    const { accounts, signIn } = await setUp();
    const { id } = await accounts.create({ name: 'ann@example.com', role: 'editor' }, 'owner');
    await signIn(ANN);
    expect(leadsTo(await signIn({ sub: ANN.sub, email: 'ann@other.example', email_verified: false }))).toEqual([
      303,
      '/dashboard',
    ]);
    expect(leadsTo(await signIn({ ...ANN, sub: 'somebody else' }))).toEqual(refused('somebody_else'));
    expect((await accounts.list()).map((each) => each.id)).toEqual([id]);
  });

  it('refuses whom nobody knows, whose address is not verified, and whose account is disabled', async () => {
    const { accounts, signIn } = await setUp();
    expect(leadsTo(await signIn(ANN))).toEqual(refused('unknown'));
    const { id } = await accounts.create({ name: 'ann@example.com', role: 'editor' }, 'owner');
    const { sub, email = '' } = ANN;
    for (const unverified of [{ sub, email, email_verified: false }, { sub, email }, { sub }]) {
      expect(leadsTo(await signIn(unverified))).toEqual(refused('unverified'));
    }
    await signIn(ANN);
    await accounts.change(id, { disabled: true });
    expect(leadsTo(await signIn(ANN))).toEqual(refused('disabled'));
    expect(await accounts.list()).toHaveLength(1);
  });

  it('takes an invitation for the account that it would make, and uses it up', async () => {
    const { accounts, records, signIn } = await setUp();
    const invitations = createInvitations(records);
    await invitations.create({ name: 'ann@example.com', role: 'reviewer' }, 'owner');
    expect(leadsTo(await signIn(ANN))).toEqual([303, '/dashboard']);
    expect(await accounts.list()).toMatchObject([{ name: 'ann@example.com', role: 'reviewer', createdBy: 'owner' }]);
    expect(await invitations.list()).toEqual([]);
  });

  it('takes an address that is not verified where the settings say so', async () => {
    const { signIn } = await setUp({ acceptsUnverifiedEmail: true, defaultRole: 'viewer' });
    expect(leadsTo(await signIn({ sub: 'ben', email: 'ben@example.com' }))).toEqual([303, '/dashboard']);
  });

  it('makes an account with the default role for whoever comes, and leaves it as owners change it', async () => {
    const { accounts, signIn } = await setUp({ defaultRole: 'viewer' });
    await signIn(ANN);
    const [made] = await accounts.list();
    expect(made).toMatchObject({ name: 'ann@example.com', role: 'viewer', createdBy: 'oidc' });
    await accounts.change(made?.id ?? '', { role: 'reviewer' });
    await signIn(ANN);
    expect((await accounts.list()).map(({ role }) => role)).toEqual(['reviewer']);
  });

  it('leaves roles to the provider where a claim has them, at every sign-in', async () => {
    const { accounts, signIn } = await setUp({
      scopes: 'openid email groups',
      roleClaim: 'groups',
      roles: [
        ['admins', 'owner'],
        ['moderators', 'reviewer'],
      ],
    });
    const roleAfter = async (groups: string[]) => {
      const [, address] = leadsTo(await signIn({ ...ANN, groups }));
      return [address, (await accounts.list())[0]?.role];
    };
    expect(await roleAfter(['staff'])).toEqual(['/dashboard#refused=no_role', undefined]);
    expect(await roleAfter(['moderators', 'admins'])).toEqual(['/dashboard', 'owner']);
    expect(await roleAfter(['moderators'])).toEqual(['/dashboard', 'reviewer']);
    expect(await roleAfter([])).toEqual(['/dashboard#refused=no_role', 'reviewer']);
  });

  it('refuses another state, another nonce, and what was not begun in this browser, without asking the provider', async () => {
    const { provider, begin, comeBack } = await setUp({ defaultRole: 'viewer' });
    provider.person = ANN;
    const one = await begin();
    const other = await begin();
    const back = await provider.visit(one.address);
    const asked = provider.requests();
    const changed = new URL(back);
    changed.searchParams.set('state', 'another');
    const twice = new URL(`${back.href}&state=another`);
    for (const [address, cookie] of [
      [changed, one.cookie],
      [twice, other.cookie],
      [back, other.cookie],
      [back, ''],
      [back, one.cookie.replace('.', 'A.')],
      [back, `parapet_sign_in=${Buffer.from('{}').toString('base64url')}.`],
    ] as const) {
      expect(leadsTo(await comeBack(address, cookie))).toEqual(refused('stale'));
    }
    expect(provider.requests()).toBe(asked);
    const address = new URL((await begin()).address);
    address.searchParams.set('nonce', 'another');
    address.searchParams.set('state', new URL(other.address).searchParams.get('state') ?? '');
    address.searchParams.set('code_challenge', new URL(other.address).searchParams.get('code_challenge') ?? '');
    expect(leadsTo(await comeBack(await provider.visit(address.href), other.cookie))).toEqual(refused('declined'));
  });

  it('refuses a code that was used, one of another attempt, and one that comes too late', async () => {
    const { provider, begin, comeBack, advanceMinutes } = await setUp({ defaultRole: 'viewer' });
    provider.person = ANN;
    const { address, cookie } = await begin();
    const back = await provider.visit(address);
    expect(leadsTo(await comeBack(back, cookie))).toEqual([303, '/dashboard']);
    expect(leadsTo(await comeBack(back, cookie))).toEqual(refused('declined'));

    const other = await begin();
    const stolen = await provider.visit((await begin()).address);
    stolen.searchParams.set('state', new URL(other.address).searchParams.get('state') ?? '');
    expect(leadsTo(await comeBack(stolen, other.cookie))).toEqual(refused('declined'));

    const late = await begin();
    const lateBack = await provider.visit(late.address);
    advanceMinutes(10);
    expect(leadsTo(await comeBack(lateBack, late.cookie))).toEqual(refused('stale'));
  });

  it('says that the provider is away with 503, to browsers on the page, while the password goes on', async () => {
    const { app, provider, begin, comeBack } = await setUp({ defaultRole: 'viewer' });
    provider.person = ANN;
    const { address, cookie } = await begin();
    const back = await provider.visit(address);
    await provider.stop();
    expect(leadsTo(await comeBack(back, cookie))).toEqual(refused('away'));
    const problem = await comeBack(back, cookie, {});
    expect([problem.statusCode, problem.json<{ code: string }>().code]).toEqual([503, 'provider_unavailable']);
    await signedIn(app);
  });

  it('asks nothing of a provider before somebody wants to sign in, and once for all of them', async () => {
    const { app, provider, begin, advanceMinutes } = await setUp();
    await signedIn(app);
    await adminRequest(app, 'GET', '/sign-in-ways');
    expect(provider.requests()).toBe(0);
    await Promise.all([begin(), begin()]);
    expect(provider.requests()).toBe(1);
    await provider.stop();
    expect((await begin()).address).toContain(provider.issuer);
    advanceMinutes(61);
    expect(leadsTo((await begin()).answer)).toEqual(refused('away'));
  });

  it('asks the provider no more than thirty times a minute for one address', async () => {
    const { provider, begin, comeBack } = await setUp();
    const { address, cookie } = await begin();
    const forged = new URL(`${PUBLIC_URL}/dashboard/api/oidc/callback?code=none`);
    forged.searchParams.set('state', new URL(address).searchParams.get('state') ?? '');
    for (let count = 0; count < 30; count += 1) {
      expect(leadsTo(await comeBack(forged, cookie))).toEqual(refused('declined'));
    }
    const asked = provider.requests();
    expect(leadsTo(await comeBack(forged, cookie))).toEqual(refused('often'));
    expect(provider.requests()).toBe(asked);
  });

  it('leads back to the view that was open, and to no other place', async () => {
    const { provider, begin, comeBack } = await setUp({ defaultRole: 'viewer' });
    provider.person = ANN;
    for (const [to, expected] of [
      ['/dashboard/keys?project=a', '/dashboard/keys?project=a'],
      ['//evil.example', '/dashboard'],
      ['/dashboard/../evil', '/dashboard'],
      ['/dashboard/\\evil.example', '/dashboard'],
      ['https://evil.example/dashboard', '/dashboard'],
    ] as const) {
      const { address, cookie } = await begin(`?to=${encodeURIComponent(to)}`);
      expect(leadsTo(await comeBack(await provider.visit(address), cookie))).toEqual([303, expected]);
    }
  });

  it('keeps its cookie from scripts, and sends it where the provider leads back to alone', async () => {
    const { begin } = await setUp();
    const { answer } = await begin();
    expect(String(answer.headers['set-cookie']).replace(/=[^;]+;/, '=…;')).toBe(
      'parapet_sign_in=…; Path=/dashboard/api/oidc; Max-Age=600; HttpOnly; SameSite=Lax',
    );
  });

  it('logs and answers nothing of the code, the secret, the state and what the provider wrote', async () => {
    const { log, signIn, provider, begin, comeBack } = await setUp({ defaultRole: 'viewer' });
    const declined = await signIn(undefined);
    expect(leadsTo(declined)).toEqual(refused('declined'));
    provider.person = ANN;
    const { address, cookie } = await begin();
    const back = await provider.visit(address);
    await comeBack(back, cookie);
    await comeBack(back, cookie);
    expect(log()).toContain('"reason":"declined"');
    expect(log()).toContain('access_denied');
    for (const secret of [
      back.searchParams.get('code') ?? '',
      back.searchParams.get('state') ?? '',
      cookie,
      'PLANTED',
    ]) {
      expect(secret).not.toBe('');
      expect(log()).not.toContain(secret);
    }
  });
});
