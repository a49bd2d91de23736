/** A page of the dashboard that somebody with an account has open, without the form, whose attempts are limited. */
import type { BrowserContextOptions } from 'playwright-core';
import { SESSION_COOKIE } from '../../../src/dashboard/session/session-cookie.js';
import { createSessions } from '../../../src/dashboard/session/sessions.js';
import { createAccounts } from '../../../src/people/accounts.js';
import type { Role } from '../../../src/people/roles.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import { newContext, newPage, type WatchedPage } from '../browser.js';
import type { DashboardService } from './dashboard-page.js';

interface NewAccount {
  readonly name: string;
  readonly role: Role;
}

export async function accountPage(
  { address, keysFile }: DashboardService,
  account: NewAccount,
  view: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const store = openFileStore(keysFile);
  const { sql, adminPassword } = store;
  const passwordHash = await adminPassword.get();
  if (passwordHash === undefined) throw new Error('there is no password');
  const { id } = await createAccounts(sql).create(account, 'owner');
  const session = await createSessions(sql, passwordHash).start(id, { address: '127.0.0.1', agent: 'test' });
  await store.close();
  const context = await newContext(options);
  await context.addCookies([{ name: SESSION_COOKIE, value: session.id, url: `${address}/dashboard` }]);
  const page = await newPage(context);
  await page.goto(`${address}/dashboard${view}`);
  return page;
}
