/** The dashboard of the built service in a browser: signed in once, and the steps and checks that its tests share. */
import { join } from 'node:path';
import axe from 'axe-core';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { adminCommand } from './admin-command.js';
import { closeBrowser, newContext, newPage, type WatchedPage } from '../browser.js';
import { spawnService, temporaryFolder } from '../service.js';
import { expectWholeTexts } from './whole-text.js';

const PASSWORD = ['a', 'long', 'enough', 'password'].join(' ');

export interface DashboardService {
  readonly address: string;
  readonly keysFile: string;
  /** A page that is signed in; the form is used once, since attempts are limited. */
  readonly signedInPage: (view?: string, options?: BrowserContextOptions) => Promise<WatchedPage>;
  /** Ends the service and the browser. */
  readonly stop: () => Promise<void>;
}

/** @param settings beside those that it needs */
export async function startDashboard(settings: Readonly<Record<string, string>> = {}): Promise<DashboardService> {
  const cleanUps: (() => unknown)[] = [];
  const folder = temporaryFolder((clean) => cleanUps.push(clean));
  const keysFile = join(folder, 'keys.json');
  const set = await adminCommand(keysFile, `${PASSWORD}\n`, 'set-password');
  if (set.code !== 0) throw new Error(set.stderr);
  const service = spawnService({ KEYS_FILE: keysFile, ...settings });
  const address = await service.ready;
  let storage: Exclude<BrowserContextOptions['storageState'], string>;
  return {
    address,
    keysFile,
    async signedInPage(view = '', options = {}) {
      const context = await newContext({ ...options, ...(storage && { storageState: storage }) });
      const page = await newPage(context);
      await page.goto(`${address}/dashboard${view}`);
      if (storage === undefined) {
        await signIn(page);
        await page
          .getByRole('heading', { level: 1 })
          .and(page.getByText(/^(?!Sign in)/))
          .waitFor();
        storage = await context.storageState();
      }
      await page.getByRole('navigation', { name: 'Views' }).waitFor();
      return page;
    },
    async stop() {
      await closeBrowser();
      await service.stop();
      for (const clean of cleanUps) await clean();
    },
  };
}

export async function signIn(page: Page, password = PASSWORD, name?: string): Promise<void> {
  if (name !== undefined) await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

export async function createProject(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: 'New project' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Create project' }).click();
  const section = page.getByRole('region', { name, exact: true });
  await section.waitFor();
  return section;
}

/** @returns the key as the page shows it */
export async function createKey(page: Page, project: string, label: string): Promise<string> {
  await page
    .getByRole('region', { name: project, exact: true })
    .getByRole('button', { name: 'Create API key' })
    .click();
  await page.getByLabel('Label').fill(label);
  await page.getByRole('button', { name: 'Create key' }).click();
  return shownKey(page);
}

export async function shownKey(page: Page): Promise<string> {
  const key = (await page.locator('.secret code').textContent()) ?? '';
  await page.getByRole('button', { name: 'Done' }).click();
  return key;
}

/** Colours do not depend on the width, so that each is looked at once. */
export const LOOKS = [
  { width: 1280, scheme: 'light' },
  { width: 320, scheme: 'dark' },
] as const;

/** No fault of accessibility, nothing to scroll sideways and no text cut off, at both. The page must have been opened with `bypassCSP`. */
export async function expectGoodLooks(
  page: Page,
  what: string,
  looks: readonly { readonly width: number; readonly height?: number; readonly scheme: 'light' | 'dark' }[] = LOOKS,
): Promise<void> {
  await page.evaluate(axe.source);
  for (const { width, height = 800, scheme } of looks) {
    const where = `${what} at ${width} px, ${scheme}`;
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme });
    const violations = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
      'axe.run().then(({ violations }) => violations)',
    );
    expect([where, violations.map(({ id, nodes }) => [id, nodes[0]?.html])]).toEqual([where, []]);
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect([where, Math.max(0, overflow)]).toEqual([where, 0]);
    await expectWholeTexts(page, where);
  }
}
