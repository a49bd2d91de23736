/** Promises of labels on the page, on the built service and the real model: they come in, a policy is fitted to them, tried on what was kept, and saved. */
import { readFile } from 'node:fs/promises';
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFileStore } from '../../../src/storage/file-store.js';
import { chromiumPath, type WatchedPage } from '../../support/browser.js';
import { accountPage } from '../../support/dashboard/account-page.js';
import { expectGoodLooks, startDashboard, type DashboardService } from '../../support/dashboard/dashboard-page.js';
import { field, openTab, save, threshold } from '../../support/dashboard/policy-editor.js';
import { KIND } from '../../support/texts.js';

/** Passes where an insult has to be certain to fail. */
const RUDE = 'You are an idiot';
const LINES = 'You are an idiot,\nand so is your garden';
const POLICY = {
  preset: 'adults',
  passMaxScore: 10,
  categories: { insult: { action: 'fail', threshold: 1 } },
  keep: { what: 'texts', days: 30 },
};

const THINGS = ['parcel', 'ticket', 'garden', 'train', 'report', 'recipe', 'window', 'library'];
const DAYS = ['Monday', 'Tuesday', 'Thursday', 'Friday', 'Sunday'];
const HARMLESS = THINGS.flatMap((thing) => DAYS.map((day) => `Is the ${thing} open on ${day}?`));
const RUDE_TEXTS = THINGS.flatMap((thing) => [
  `You are an idiot, and your ${thing} too`,
  `Shut up about the ${thing}, you moron`,
]);
const ROWS = [...HARMLESS.map((text) => `"${text}",1,0`), ...RUDE_TEXTS.map((text) => `"${text}",0,1`), '"  ",1,0'];
const CSV = {
  name: 'labels.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(['text,should_pass,insult', ...ROWS].join('\n')),
};

let service: DashboardService;

beforeAll(async () => {
  if (chromiumPath === undefined) return;
  service = await startDashboard({ DECISIONS_KEY: Buffer.alloc(32, 1).toString('base64') });
});

afterAll(async () => {
  if (chromiumPath !== undefined) await service.stop();
});

/** A project that keeps the texts that are sent to it. @returns its id, once they are kept */
async function projectWith(project: string, texts: readonly string[]): Promise<string> {
  const { policies, keys } = openFileStore(service.keysFile);
  const { key, record } = await keys.create({
    ...{ project, name: 'backend', environment: 'live', expiresInMs: null, rateLimitPerMinute: null },
  });
  await policies.edit(record.projectId, () => POLICY, { by: 'command line' });
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  for (const content of texts) {
    const body = JSON.stringify({ content });
    const answer = await fetch(`${service.address}/v1/analyze`, { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({ passed: true });
    const decision = `${service.address}/v1/decisions/${answer.headers.get('X-Decision-Id')}`;
    // What was decided is written a moment later.
    await expect.poll(async () => (await fetch(decision, { headers })).status, { timeout: 10_000 }).toBe(200);
  }
  return record.projectId;
}

const openLabels = (id: string, options?: BrowserContextOptions): Promise<WatchedPage> =>
  service.signedInPage(`/labels?project=${id}`, options);

async function importFile(page: WatchedPage, file: typeof CSV, told: string): Promise<void> {
  await page.getByLabel('CSV or JSON Lines').setInputFiles(file);
  await page.getByRole('button', { name: 'Import labels' }).press('Enter');
  await page.getByText(told).first().waitFor();
}

const rowsOf = (page: WatchedPage, table: number): Promise<string[]> =>
  page.locator('.counts').nth(table).locator('tbody tr').allInnerTexts();

describe.skipIf(chromiumPath === undefined)('who labels texts, in a browser', () => {
  it('imports labels, sees how many there are, fits the policy to them, sees what it would have changed, and saves it', async () => {
    const id = await projectWith('labelled', [KIND, LINES, RUDE]);
    const page = await openLabels(id);
    await page.getByRole('heading', { name: 'No labels yet' }).waitFor();
    await importFile(page, CSV, '56 rows taken. 1 left out');
    await page.getByRole('heading', { name: '56 labelled texts' }).waitFor();
    expect((await rowsOf(page, 0)).map((row) => row.split(/\s/)[0])).toEqual(['Reviews', 'Suggestions', 'Imports']);
    const said = (await rowsOf(page, 1)).map((row) => row.replaceAll(/\s+/g, ' '));
    expect(said[0]).toBe('should pass should_pass 40 16');
    expect(said).toContain('insult insult 16 40');

    await page.getByRole('link', { name: 'Fit the policy to them' }).press('Enter');
    const fit = page.getByRole('region', { name: 'Thresholds from labels' });
    await fit.getByText('no random sample').waitFor();
    expect(await field(page, 'Labels').locator('option:checked').textContent()).toBe('labels of this project (56)');
    await fit.getByLabel('Wanted false alarms in %').fill('20');
    await page.keyboard.press('Enter');
    const result = page.locator('#fit-result');
    await result.locator('.fits').waitFor();
    expect(await result.locator('.fits tbody th').allInnerTexts()).toEqual([
      expect.stringContaining('insult'),
      expect.stringContaining('Whole policy'),
    ]);
    await result.getByText('No label says anything of: severe toxic').waitFor();
    await result.getByRole('button', { name: 'What would have changed in the last 30 days' }).press('Enter');
    const before = page.locator('#fit-preview');
    await before.getByText('3 of 3 decisions').waitFor();
    expect(await before.locator('dd').allTextContents()).toEqual(['3 of 3 decisions', '0 → 2', '2', '0', '0']);
    expect(await before.locator('.veil').count()).toBe(2);
    await result.getByRole('button', { name: 'Take into form' }).press('Enter');
    await page.getByText('Not saved: insult').waitFor();

    await openTab(page, 'Preview');
    expect(await page.getByLabel('Try it on').locator('option:checked').textContent()).toBe(
      'kept texts of the last 30 days',
    );
    await page.getByRole('button', { name: 'Preview' }).press('Enter');
    const preview = page.locator('#preview-result');
    await preview.getByRole('button', { name: 'Show texts' }).press('Enter');
    expect((await preview.locator('.quoted').allTextContents()).toSorted()).toEqual([LINES, RUDE].toSorted());
    const store = openFileStore(service.keysFile).policies;
    expect((await store.get(id)).version).toBe(1);
    await save(page, 2);
    const { insult } = (await store.get(id)).policy.categories ?? {};
    expect(insult).toEqual({ action: 'fail', threshold: expect.any(Number) as number });
    expect(insult?.threshold).toBeLessThan(1);

    await preview.getByRole('link').first().press('Enter');
    await page.getByRole('region', { name: 'Decision' }).getByRole('button', { name: 'Show text' }).press('Enter');
    expect([LINES, RUDE]).toContain(await page.locator('.marked').textContent());
    expect(page.complaints).toEqual([]);
  });

  it('watches kept texts near the border as a slider moves', async () => {
    const id = await projectWith('border', [KIND, LINES]);
    const page = await service.signedInPage(`/policies?project=${id}`);
    await page.getByRole('textbox', { name: 'A few texts' }).fill(RUDE);
    await page.getByRole('button', { name: 'Add kept texts near the border' }).press('Enter');
    const line = LINES.replace('\n', ' ');
    await expect
      .poll(() => page.getByRole('textbox', { name: 'A few texts' }).inputValue())
      .toBe([RUDE, line, KIND].join('\n'));
    const watched = page
      .getByRole('region', { name: 'Texts to watch' })
      .getByRole('listitem')
      .filter({ hasText: line });
    await watched.and(page.locator('.passed')).waitFor();
    await threshold(page, 'insult').press('Home');
    await watched.and(page.locator('.failed')).waitFor();
    await page.getByRole('button', { name: 'Add kept texts near the border' }).press('Enter');
    await page.getByRole('alert').getByText('no other texts').waitFor();
  });

  it('takes labels along, for Coop too, and deletes those that were imported after being asked', async () => {
    const id = await projectWith('taken', []);
    const page = await openLabels(id);
    const line = { text: '=1+1, you idiot', insult: true, language: 'en' };
    const buffer = Buffer.from(`${JSON.stringify(line)}\n`);
    await importFile(page, { ...CSV, name: 'labels.jsonl', buffer }, '1 row taken.');
    const download = async (name: string): Promise<string> => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name }).or(page.getByRole('button', { name })).press('Enter'),
      ]);
      return readFile(await file.path(), 'utf8');
    };
    expect(JSON.parse(await download('Export JSON Lines'))).toEqual({
      ...{ text: line.text, language: 'en', source: 'import', insult: 1 },
    });
    expect(await download('Export CSV')).toContain(`"'=1+1, you idiot"`);
    await page.getByText('For Coop', { exact: true }).press('Enter');
    await page.getByLabel('Id of the item type').fill('type-7');
    expect(JSON.parse(await download('Export for Coop'))).toMatchObject({ items: [{ typeId: 'type-7' }] });

    await page.getByRole('button', { name: 'Delete imports' }).press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: '1 labelled text' }).waitFor();
    await page.getByRole('button', { name: 'Delete imports' }).press('Enter');
    await page.getByRole('button', { name: 'Delete for good' }).press('Enter');
    await page.getByRole('heading', { name: 'No labels yet' }).waitFor();
    await importFile(page, { ...CSV, buffer: Buffer.from('body\nhello\n') }, 'no column');
    expect(page.complaints).toEqual([]);
  });

  it('sees the counts as a viewer, and nothing that is for editors', async () => {
    const id = await projectWith('viewed', []);
    await importFile(await openLabels(id), CSV, '56 rows taken');
    const page = await accountPage(service, { name: 'vic', role: 'viewer' }, `/labels?project=${id}`);
    await page.getByRole('heading', { name: '56 labelled texts' }).waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    await page.getByText('none was judged by two people').waitFor();
    expect(await page.getByRole('main').getByRole('link').allTextContents()).toEqual(['policy']);
    expect(await page.getByRole('heading').allTextContents()).toEqual(['Labels', '56 labelled texts', 'Agreement']);
    expect(page.complaints).toEqual([]);
  });

  it('finds it readable at every width, with labels and without', async () => {
    const id = await projectWith('looks', [RUDE]);
    const page = await openLabels(id, { bypassCSP: true });
    await page.getByRole('heading', { name: 'No labels yet' }).waitFor();
    await expectGoodLooks(page, 'no labels');
    await importFile(page, CSV, '56 rows taken');
    await page.getByText('For Coop', { exact: true }).click();
    await expectGoodLooks(page, 'labels');
    await page.getByRole('button', { name: 'Delete imports' }).click();
    await expectGoodLooks(page, 'deletion');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Fit the policy to them' }).click();
    await page.getByLabel('Wanted false alarms in %').fill('20');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'What would have changed in the last 30 days' }).click();
    await page.locator('#fit-preview .changes').waitFor();
    await expectGoodLooks(page, 'fitted to labels');
    await page.getByRole('button', { name: 'Take into form' }).click();
    await openTab(page, 'Preview');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Show texts' }).click();
    await expectGoodLooks(page, 'preview of kept texts');
  });
});
