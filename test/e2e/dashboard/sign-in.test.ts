/** Promises of signing in with what people already have, in a real browser: from another site and back, and by a proxy. */
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, closeBrowser, newContext, newPage } from '../../support/browser.js';
import { expectGoodLooks } from '../../support/dashboard/dashboard-page.js';
import { freePort } from '../../support/servers/free-port.js';
import { createHttpService } from '../../support/http-service.js';
import { signInSettingsOf, startOidcProvider, type OidcProvider } from '../../support/dashboard/oidc.js';
import { spawnService, temporaryFolder } from '../../support/service.js';

const ANN = { sub: 'ann-1', email: 'ann@example.com', email_verified: true };
const HEADER = { extraHTTPHeaders: { 'remote-user': 'ben' } };

const cleanUps: (() => unknown)[] = [];
/** Is another site (localhost) than the service, which has no password and trusts proxies on this machine. */
let provider: OidcProvider;
let address: string;

beforeAll(async () => {
  if (chromiumPath === undefined) return;
  const port = await freePort();
  address = `http://127.0.0.1:${port}`;
  provider = await startOidcProvider(address, (stop) => cleanUps.push(stop));
  const service = spawnService({
    KEYS_FILE: join(
      temporaryFolder((clean) => cleanUps.push(clean)),
      'keys.json',
    ),
    INFERENCE_THREADS: '1',
    PORT: String(port),
    PUBLIC_URL: address,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_NAME: 'Example',
    OIDC_DEFAULT_ROLE: 'editor',
    TRUST_PROXY: 'loopback',
    SIGN_IN_HEADER: 'Remote-User',
    SIGN_IN_HEADER_ROLE: 'editor',
    SIGN_OUT_URL: '/docs',
  });
  cleanUps.unshift(() => service.stop());
  await service.ready;
});

afterAll(async () => {
  if (chromiumPath === undefined) return;
  await closeBrowser();
  for (const clean of cleanUps) await clean();
});

async function open(path: string, options?: BrowserContextOptions) {
  const page = await newPage(await newContext(options));
  await page.goto(address + path);
  return page;
}

describe.skipIf(chromiumPath === undefined)('somebody in a browser', () => {
  it('signs in with a provider of another site, comes back to the view that was open, and stays signed in', async () => {
    provider.person = ANN;
    const page = await open('/dashboard/keys?project=a');
    await page.getByRole('link', { name: 'Sign in with Example' }).press('Enter');
    await page.getByRole('heading', { name: 'Projects and keys' }).waitFor();
    expect(page.url()).toBe(`${address}/dashboard/keys?project=a`);
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('forum');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('region', { name: 'forum', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Projects and keys' }).waitFor();
    expect(page.complaints).toEqual([]);
  });

  it('is told why not, and can try again', async () => {
    provider.person = undefined;
    const page = await open('/dashboard');
    await page.getByRole('link', { name: 'Sign in with Example' }).click();
    await page.getByRole('alert').getByText('The provider of sign-ins did not let you in.').waitFor();
    provider.person = ANN;
    await page.getByRole('link', { name: 'Sign in with Example' }).click();
    await page.getByRole('navigation').waitFor();
    expect(page.complaints).toEqual([]);
  });

  it('is let in at once by a proxy that names them, and led to its sign-out after ours', async () => {
    const page = await open('/dashboard/keys', HEADER);
    await page.getByRole('heading', { name: 'Projects and keys' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${address}/docs`);
    expect(page.complaints).toEqual([]);
  });

  it('finds the ways that there are, and the form only where there is a password', async () => {
    const alone = await open('/dashboard', { bypassCSP: true });
    await alone.getByRole('link', { name: 'Sign in with Example' }).and(alone.locator(':focus')).waitFor();
    expect(await alone.getByLabel('Password').count()).toBe(0);
    await expectGoodLooks(alone, 'without a password');
    const { listen } = await createHttpService({ dashboard: { signInSettings: signInSettingsOf(provider, address) } });
    const both = await newPage(await newContext({ bypassCSP: true }));
    await both.goto(`http://127.0.0.1:${await listen()}/dashboard`);
    await both.getByLabel('Name').and(both.locator(':focus')).waitFor();
    expect(await both.getByLabel('Password').count()).toBe(1);
    await both.getByRole('link', { name: 'Sign in with Example' }).waitFor();
    await expectGoodLooks(both, 'with a password');
  });
});
