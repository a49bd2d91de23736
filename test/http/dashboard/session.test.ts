/** Promises of the dashboard's door: who gets in, for how long, and what else does not. */
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { hashAdminPassword } from '../../../src/admin-password.js';
import { createKnownBrowsers } from '../../../src/dashboard/session/known-browsers.js';
import { LocalCounter } from '../../../src/http/auth/rate-limit.js';
import { signInWaysResponse } from '../../../src/dashboard/routes/sign-in-schemas.js';
import { createAccounts } from '../../../src/people/accounts.js';
import { adminRequest, signedIn } from '../../support/dashboard/admin-client.js';
import { ADMIN_PASSWORD, adminPasswordHash, createHttpService } from '../../support/http-service.js';

const PATHS = [
  ['GET', '/session'],
  ['DELETE', '/session'],
  ['GET', '/projects'],
  ['POST', '/projects'],
  ['PATCH', '/projects/prj_x'],
  ['POST', '/projects/prj_x/archive'],
  ['GET', '/keys'],
  ['POST', '/keys'],
  ['POST', '/keys/key_x/rotate'],
  ['POST', '/keys/key_x/revoke'],
  ['POST', '/policy-terms'],
  ['POST', '/playground'],
  ['GET', '/overview'],
] as const;

function clock() {
  let time = Date.parse('2030-01-01T00:00:00Z');
  return { now: () => new Date(time), advanceMinutes: (minutes: number) => void (time += minutes * 60_000) };
}

/** With the values left out. */
function cookiesOf({ headers }: LightMyRequestResponse): string[] {
  return [headers['set-cookie'] ?? []].flat().map((cookie) => cookie.replace(/=[^;]+; /, '=…; '));
}

describe('the dashboard', () => {
  it('is not there unless a password was set', async () => {
    const { app } = await createHttpService();
    for (const url of ['/dashboard', '/dashboard/keys', '/dashboard/assets/main.js', '/dashboard/api/session']) {
      expect([url, (await app.inject(url)).statusCode]).toEqual([url, 404]);
    }
  });

  it('is there without a password where there is another way in, keeps sessions, and takes passwords of accounts alone', async () => {
    const header = { name: 'remote-user', defaultRole: 'viewer' } as const;
    const signInSettings = { publicUrl: undefined, oidc: undefined, header, signOutUrl: undefined };
    const dashboard = { passwordHash: undefined, signInSettings };
    const one = await createHttpService({ dashboard, trustedProxies: ['loopback'] });
    const other = await createHttpService({ dashboard, trustedProxies: ['loopback'], keysFile: one.keysFile });
    const headers = { 'remote-user': 'ann' };
    const entered = await adminRequest(one.app, 'POST', '/session/header', { headers });
    const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? '';
    for (const { app } of [one, other]) {
      expect((await adminRequest(app, 'GET', '/session', { headers: { ...headers, cookie } })).statusCode).toBe(200);
    }
    const takesPasswords = async () =>
      signInWaysResponse.parse((await adminRequest(one.app, 'GET', '/sign-in-ways')).json()).password;
    const enter = async (name?: string) => {
      const payload = { password: ADMIN_PASSWORD, name };
      return (await adminRequest(one.app, 'POST', '/session', { payload })).statusCode;
    };
    expect([await takesPasswords(), await enter()]).toEqual([false, 401]);
    const accounts = createAccounts(one.records);
    await accounts.create({ name: 'ben', role: 'viewer', passwordHash: await adminPasswordHash() }, 'owner');
    expect([await takesPasswords(), await enter(), await enter('ben')]).toEqual([true, 401, 200]);
  });

  it.each(PATHS)('refuses %s %s without a session, and an API key is none', async (method, path) => {
    const { app, key } = await createHttpService({ dashboard: {} });
    const payload = method === 'GET' ? {} : { payload: {} };
    for (const headers of [{}, { 'x-api-key': key }, { cookie: 'parapet_session=made-up', 'x-api-key': key }]) {
      const answer = await adminRequest(app, method, path, { headers, ...payload });
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([401, 'sign_in_required']);
    }
  });

  it.each(PATHS.filter(([method]) => method !== 'GET'))(
    'refuses %s %s with a session but without its token, or from another site',
    async (method, path) => {
      const { app } = await createHttpService({ dashboard: {} });
      const { cookie, csrfToken } = await signedIn(app);
      const own = { cookie, 'x-csrf-token': csrfToken };
      for (const headers of [
        { cookie },
        { cookie, 'x-csrf-token': `${csrfToken.slice(0, -1)}!` },
        { ...own, 'sec-fetch-site': 'same-site' },
        { ...own, origin: 'https://evil.example' },
        { ...own, origin: 'null' },
      ]) {
        const answer = await adminRequest(app, method, path, { headers, payload: {} });
        expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([403, 'foreign_origin']);
      }
    },
  );

  it('takes changes from its own origin', async () => {
    const { app } = await createHttpService({ dashboard: {} });
    const { cookie, csrfToken } = await signedIn(app);
    const headers = { cookie, 'x-csrf-token': csrfToken, host: 'parapet.example', origin: 'http://parapet.example' };
    const answer = await adminRequest(app, 'POST', '/projects', { headers, payload: { name: 'new' } });
    expect(answer.statusCode).toBe(201);
  });

  it('keeps its cookie from scripts and other sites, and from plain HTTP where the proxy speaks TLS', async () => {
    const { app } = await createHttpService({ dashboard: {}, trustedProxies: ['127.0.0.1'] });
    const payload = { password: ADMIN_PASSWORD };
    const plain = await adminRequest(app, 'POST', '/session', { payload });
    const attributes = 'HttpOnly; SameSite=Strict';
    expect(cookiesOf(plain)).toEqual([
      `parapet_session=…; Path=/dashboard; Max-Age=43200; ${attributes}`,
      `parapet_browser=…; Path=/dashboard/api/session; Max-Age=15552000; ${attributes}`,
    ]);
    const behindTls = await adminRequest(app, 'POST', '/session', {
      payload,
      headers: { 'x-forwarded-proto': 'https' },
    });
    for (const cookie of cookiesOf(behindTls)) expect(cookie).toMatch(/; Secure$/);
  });

  it('ends a session on the server when its operator signs out', async () => {
    const { app } = await createHttpService({ dashboard: {} });
    const admin = await signedIn(app);
    const answer = await admin.send('DELETE', '/session');
    expect([answer.statusCode, String(answer.headers['set-cookie'])]).toEqual([
      204,
      'parapet_session=; Path=/dashboard; Max-Age=0; HttpOnly; SameSite=Strict',
    ]);
    expect((await admin.get('/keys')).statusCode).toBe(401);
  });

  it('ends a session after half an hour without use, and after twelve hours of use', async () => {
    const { now, advanceMinutes } = clock();
    const { app } = await createHttpService({ dashboard: { now } });
    const idle = await signedIn(app);
    advanceMinutes(29);
    expect((await idle.get('/session')).statusCode).toBe(200);
    advanceMinutes(30);
    expect((await idle.get('/session')).statusCode).toBe(401);
    const busy = await signedIn(app);
    for (let minutes = 20; minutes < 12 * 60; minutes += 20) {
      advanceMinutes(20);
      expect((await busy.get('/session')).statusCode).toBe(200);
    }
    advanceMinutes(20);
    expect((await busy.get('/session')).statusCode).toBe(401);
  });

  it('takes one sign-in for all servers of a folder, and after a restart, until it is ended at one of them', async () => {
    const one = await createHttpService({ dashboard: {} });
    const admin = await signedIn(one.app);
    const other = await createHttpService({ dashboard: {}, keysFile: one.keysFile });
    const ask = () => adminRequest(other.app, 'GET', '/keys', { headers: { cookie: admin.cookie } });
    expect((await ask()).statusCode).toBe(200);
    await admin.send('DELETE', '/session');
    expect((await ask()).statusCode).toBe(401);
  });

  it('ends all sessions with a new password', async () => {
    const { app, keysFile } = await createHttpService({ dashboard: {} });
    const { cookie } = await signedIn(app);
    const passwordHash = await hashAdminPassword('another of them', { log2N: 14, blockSize: 8, parallelism: 1 });
    const later = await createHttpService({ dashboard: { passwordHash }, keysFile });
    expect((await adminRequest(later.app, 'GET', '/keys', { headers: { cookie } })).statusCode).toBe(401);
  });

  it('takes no more guesses than ten a minute from one address, the right password included', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    const { app } = await createHttpService({ dashboard: {} });
    const attempt = (password: string, remoteAddress = '203.0.113.7') =>
      adminRequest(app, 'POST', '/session', { payload: { password }, remoteAddress });
    for (let count = 0; count < 10; count += 1) expect((await attempt('a wrong one')).statusCode).toBe(401);
    const refused = await attempt(ADMIN_PASSWORD);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
    expect((await attempt(ADMIN_PASSWORD, '203.0.113.8')).statusCode).toBe(200);
    vi.setSystemTime(Date.now() + 60_000);
    expect((await attempt(ADMIN_PASSWORD)).statusCode).toBe(200);
  }, 60_000);

  it('takes no more guesses at several servers that count together than at one', async () => {
    const attempts = new LocalCounter();
    const { app: one } = await createHttpService({ dashboard: { attempts } });
    const { app: other } = await createHttpService({ dashboard: { attempts } });
    const attempt = async (app: typeof one, password: string) =>
      (await adminRequest(app, 'POST', '/session', { payload: { password } })).statusCode;
    const statuses = [];
    for (let count = 0; count < 5; count += 1) {
      statuses.push(await attempt(one, 'a wrong one'), await attempt(other, 'a wrong one'));
    }
    expect(statuses).toEqual(Array<number>(10).fill(401));
    expect([await attempt(one, ADMIN_PASSWORD), await attempt(other, ADMIN_PASSWORD)]).toEqual([429, 429]);
  }, 60_000);

  it('computes only a few hashes for any number of attempts at once', async () => {
    const { app } = await createHttpService({ dashboard: {} });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        adminRequest(app, 'POST', '/session', {
          payload: { password: 'a wrong one' },
          remoteAddress: `203.0.113.${index}`,
        }),
      ),
    );
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 401)).toHaveLength(4);
    expect(statuses.filter((status) => status === 429)).toHaveLength(16);
  }, 60_000);

  it('lets a browser in that has signed in before, whatever others try from its address', async () => {
    const { attempt, knownBrowser } = await underAttack();
    expect((await attempt(ADMIN_PASSWORD)).statusCode).toBe(429);
    const flood = Array.from({ length: 20 }, () => attempt('a wrong one', {}, freshAddress()));
    const operator = await attempt(ADMIN_PASSWORD, { cookie: knownBrowser });
    expect(operator.statusCode).toBe(200);
    expect((await Promise.all(flood)).filter(({ statusCode }) => statusCode === 429).length).toBeGreaterThan(10);
    expect((await attempt(ADMIN_PASSWORD)).statusCode).toBe(429);
  }, 60_000);

  it('lets a new browser in that opens the link of the command line, for as long as the link lasts', async () => {
    const { attempt, advanceMinutes, passwordHash, now } = await underAttack();
    const pass = createKnownBrowsers(passwordHash, now).issue(15 * 60_000);
    expect((await attempt(ADMIN_PASSWORD, {}, ADDRESS, pass)).statusCode).toBe(200);
    expect((await attempt('a wrong one', {}, ADDRESS, pass)).statusCode).toBe(401);
    advanceMinutes(15);
    expect((await attempt(ADMIN_PASSWORD, {}, ADDRESS, pass)).statusCode).toBe(429);
  }, 60_000);

  it('takes no more guesses from a browser that it knows than from an address', async () => {
    const { attempt, knownBrowser } = await underAttack();
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      statuses.push((await attempt('a wrong one', { cookie: knownBrowser })).statusCode);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
  }, 60_000);

  it('knows no browser by a cookie that is forged, altered, expired, or of another password', async () => {
    const { attempt, advanceMinutes, knownBrowser, passwordHash } = await underAttack();
    const other = { ...passwordHash, hash: Buffer.alloc(32, 7) };
    const [expiresAt = '', name = ''] = knownBrowser.split('=')[1]?.split('.') ?? [];
    for (const cookie of [
      'parapet_browser=',
      'parapet_browser=a.b.c',
      `parapet_browser=${expiresAt}.${name}.`,
      knownBrowser.replace(expiresAt, `${expiresAt}0`),
      knownBrowser.replace(name, `${name.slice(1)}A`),
      `${knownBrowser}.more`,
      `parapet_browser=${createKnownBrowsers(other).issue(60_000)}`,
    ]) {
      expect([cookie, (await attempt(ADMIN_PASSWORD, { cookie })).statusCode]).toEqual([cookie, 429]);
    }
    advanceMinutes(181 * 24 * 60);
    expect((await attempt(ADMIN_PASSWORD, { cookie: knownBrowser })).statusCode).toBe(429);
  }, 60_000);

  it('logs neither password nor session nor token', async () => {
    const { app, log } = await createHttpService({ dashboard: {} });
    const admin = await signedIn(app);
    await admin.send('POST', '/projects', { name: 'PLANTEDNAME' });
    await adminRequest(app, 'POST', '/session', { payload: { password: 'PLANTEDPASSWORD' } });
    await admin.send('POST', '/playground', { content: 'PLANTEDTEXT' });
    expect(log()).toContain('signed in');
    for (const secret of [ADMIN_PASSWORD, admin.cookie.split('=')[1] ?? '', admin.csrfToken, 'PLANTED']) {
      expect(log()).not.toContain(secret);
    }
  });
});

const ADDRESS = '203.0.113.7';
let addresses = 0;
const freshAddress = (): string => `198.51.100.${(addresses += 1)}`;

/** A dashboard on which an operator has signed in once, and whose address has no attempts left. */
async function underAttack() {
  const { now, advanceMinutes } = clock();
  const passwordHash = await hashAdminPassword(ADMIN_PASSWORD, { log2N: 14, blockSize: 8, parallelism: 1 });
  const { app } = await createHttpService({ dashboard: { now, passwordHash } });
  const attempt = (password: string, headers: Record<string, string> = {}, remoteAddress = ADDRESS, pass?: string) =>
    adminRequest(app, 'POST', '/session', { payload: { password, pass }, headers, remoteAddress });
  const signedIn = await attempt(ADMIN_PASSWORD);
  const [, cookie = ''] = [signedIn.headers['set-cookie'] ?? []].flat();
  for (let count = 0; count < 9; count += 1) expect((await attempt('a wrong one')).statusCode).toBe(401);
  return { attempt, advanceMinutes, now, passwordHash, knownBrowser: cookie.split(';')[0] ?? '' };
}

describe('the page', () => {
  it('has no inline script or style, loads nothing from elsewhere, and names files that may be kept for good', async () => {
    const { app } = await createHttpService({ dashboard: {} });
    for (const path of [
      '/dashboard',
      '/dashboard/',
      '/dashboard/keys',
      '/dashboard/policies',
      '/dashboard/playground',
      '/dashboard/review',
    ]) {
      const page = await app.inject(path);
      expect([path, page.statusCode]).toEqual([path, 200]);
      expect(page.headers['content-security-policy']).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self';/,
      );
      expect(page.headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/);
      expect(page.body).not.toMatch(/<script(?![^>]* src=)|<style|style=| on\w+=|https?:/);
      for (const [, asset = ''] of page.body.matchAll(/(?:src|href)="(\/dashboard\/[^"]+)"/g)) {
        const { statusCode, headers } = await app.inject(asset);
        expect([asset, statusCode, headers['cache-control']]).toEqual([
          asset,
          200,
          expect.stringContaining('immutable'),
        ]);
      }
    }
  });

  it.each(['nothing.js', '..%2f..%2fapp.js', '%2e%2e%2findex.html'])('has no file %s', async (name) => {
    const { app } = await createHttpService({ dashboard: {} });
    expect((await app.inject(`/dashboard/assets/${name}`)).statusCode).toBe(404);
  });
});
