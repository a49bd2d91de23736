/** The policy editor of the dashboard in a browser: a project to edit, its fields, and the other way to its policy. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { StoredPolicy } from '../../../src/policies/policy-repository.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import type { WatchedPage } from '../browser.js';
import type { DashboardService } from './dashboard-page.js';
import { createKey } from '../service.js';

export interface PolicyEditor {
  readonly page: WatchedPage;
  readonly key: string;
  /** What somebody else saves by the command line. */
  readonly elsewhere: (policy: object) => Promise<unknown>;
  readonly stored: () => Promise<StoredPolicy>;
}

/** The editor of a new project that has a key. */
export async function openNewEditor(
  service: DashboardService,
  project: string,
  options: BrowserContextOptions = {},
): Promise<PolicyEditor> {
  const store = openFileStore(service.keysFile).policies;
  const { key } = await createKey(service.keysFile, { project });
  const page = await service.signedInPage('/keys', options);
  await page.getByRole('link', { name: `Policy of ${project}` }).click();
  await page.getByRole('heading', { name: 'What fails' }).waitFor();
  const id = await field(page, 'Project').inputValue();
  return {
    page,
    key,
    elsewhere: (policy) => store.edit(id, (present) => ({ ...present, ...policy }), { by: 'command line' }),
    stored: () => store.get(id),
  };
}

export const openTab = (page: Page, name: string): Promise<void> =>
  page.getByRole('link', { name, exact: true }).click();
export const field = (page: Page, name: string): Locator => page.getByRole('combobox', { name, exact: true });
export const threshold = (page: Page, category: string): Locator =>
  page.getByRole('slider', { name: `Threshold of ${category}`, exact: true });
export const terms = (page: Page, title: string): Locator => page.getByRole('textbox', { name: title });

export async function save(page: Page, version: number): Promise<void> {
  await page.getByRole('button', { name: 'Save policy' }).press('Enter');
  await page.getByText(`In force: version ${version},`).waitFor();
}
