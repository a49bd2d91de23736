/** Not a test: with SCREENSHOTS=FOLDER it makes the pictures of the dashboard for the README anew, on the real model. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, it } from 'vitest';
import { openFileStore } from '../../../src/storage/file-store.js';
import { adminCommand } from '../../support/dashboard/admin-command.js';
import { closeBrowser, newContext, newPage } from '../../support/browser.js';
import { countTwoDays } from '../../support/dashboard/counted-days.js';
import { keysCommand, killAfterTest, post, spawnService, temporaryFolder } from '../../support/service.js';
import { KIND, TOXIC } from '../../support/texts.js';

/** A folder. */
const { SCREENSHOTS } = process.env;
const PASSWORD = ['a', 'long', 'enough', 'password'].join(' ');

const KEYS = [
  ['--project', 'Shop reviews', '--name', 'backend'],
  ['--project', 'Shop reviews', '--name', 'staging', '--env', 'test', '--rate-limit', '600', '--expires-in', '90d'],
  ['--project', 'Community forum', '--name', 'moderation worker'],
] as const;

async function serviceInUse(): Promise<string> {
  const keysFile = join(temporaryFolder(), 'keys.json');
  const made: string[] = [];
  for (const flags of KEYS) made.push((await keysCommand(keysFile, 'create', ...flags)).trim());
  const store = openFileStore(keysFile);
  const [key] = await store.keys.list();
  await countTwoDays(store.sql, key?.id ?? '');
  await store.close();
  await adminCommand(keysFile, `${PASSWORD}\n`, 'set-password');
  const service = spawnService({ KEYS_FILE: keysFile });
  killAfterTest(service);
  const address = await service.ready;
  for (const key of made) {
    for (const text of [KIND, KIND, KIND, TOXIC]) await post({ address, key }, text);
  }
  return address;
}

async function take(page: Page, folder: string, name: string): Promise<void> {
  // As tall as the page is, so that the bar that stays at its foot stands below all else.
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width: 1280, height: Math.max(800, height) });
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await page.setViewportSize({ width: 1280, height: 800 });
}

describe.skipIf(SCREENSHOTS === undefined)('the pictures of the dashboard', () => {
  it('are made', async () => {
    const folder = SCREENSHOTS ?? '';
    const address = await serviceInUse();
    const page = await newPage(await newContext({ viewport: { width: 1280, height: 800 } }));
    await page.goto(`${address}/dashboard/keys`);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Shop reviews' }).waitFor();
    await take(page, folder, 'keys');
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('slider', { name: /^Requests/ }).waitFor();
    await take(page, folder, 'overview');
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('link', { name: 'Policy of Community forum' }).click();
    await page.getByRole('combobox', { name: 'Preset', exact: true }).selectOption('adults');
    await page.getByRole('slider', { name: 'Threshold of hate', exact: true }).fill('0.3');
    await page.getByRole('textbox', { name: 'A few texts' }).fill(`${KIND}\n${TOXIC}\nYou are an idiot`);
    await page.getByText('(in force: failed)').waitFor();
    await take(page, folder, 'policies');
    await page.getByRole('link', { name: 'Playground' }).click();
    await page.getByRole('button', { name: 'Rude', exact: true }).click();
    await page.locator('.result[aria-busy=false] mark').first().waitFor();
    await take(page, folder, 'playground');
  });
});

afterAll(closeBrowser);
