/** Promises of signing in with what people already have, in a real browser: from another site and back, and by a proxy. */
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import type { DashboardDeps } from '../../src/dashboard/dashboard.js';
import { chromiumPath, closeBrowser, newContext, newPage } from '../support/browser.js';
import { expectGoodLooks } from '../support/dashboard-page.js';
import { freePort } from '../support/free-port.js';
import { createHttpService } from '../support/http-service.js';
import { signInSettingsOf, startOidcProvider } from '../support/oidc.js';

afterAll(async () => {
  if (chromiumPath !== undefined) await closeBrowser();
});

const ANN = { sub: 'ann-1', email: 'ann@example.com', email_verified: true };
const HEADER = { extraHTTPHeaders: { 'remote-user': 'ben' } };

/** A service with a provider that is another site (localhost), behind a proxy on this machine. Without a password unless there is one. */
async function setUp(more: Partial<DashboardDeps> = { passwordHash: undefined }) {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const provider = await startOidcProvider(address);
  provider.person = ANN;
  const signInSettings = {
    ...signInSettingsOf(provider, address, { defaultRole: 'editor' }),
    header: { name: 'remote-user', defaultRole: 'editor' as const },
    signOutUrl: '/docs',
  };
  const { app } = await createHttpService({ trustedProxies: ['loopback'], dashboard: { signInSettings, ...more } });
  await app.listen({ host: '127.0.0.1', port });
  const open = async (path: string, options?: BrowserContextOptions) => {
    const page = await newPage(await newContext(options));
    await page.goto(address + path);
    return page;
  };
  return { address, provider, open };
}

describe.skipIf(chromiumPath === undefined)('somebody in a browser', () => {
  it('signs in with a provider of another site, comes back to the view that was open, and stays signed in', async () => {
    const { address, open } = await setUp();
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
    const { provider, open } = await setUp();
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
    const { address, open } = await setUp();
    const page = await open('/dashboard/keys', HEADER);
    await page.getByRole('heading', { name: 'Projects and keys' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${address}/docs`);
    expect(page.complaints).toEqual([]);
  });

  it('finds the ways that there are, and the form only where there is a password', async () => {
    const alone = await (await setUp()).open('/dashboard', { bypassCSP: true });
    await alone.getByRole('link', { name: 'Sign in with Example' }).and(alone.locator(':focus')).waitFor();
    expect(await alone.getByLabel('Password').count()).toBe(0);
    await expectGoodLooks(alone, 'without a password');
    const both = await (await setUp({})).open('/dashboard', { bypassCSP: true });
    await both.getByLabel('Password').and(both.locator(':focus')).waitFor();
    await both.getByRole('link', { name: 'Sign in with Example' }).waitFor();
    await expectGoodLooks(both, 'with a password');
  });
});
