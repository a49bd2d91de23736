/** Promises of the page of decisions in a real browser, on the built service and the real model: found, read when asked, taken along, forgotten. */
import { readFile } from 'node:fs/promises';
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/browser.js';
import { expectGoodLooks, startDashboard, type DashboardService } from '../../support/dashboard/dashboard-page.js';
import { openFileStore } from '../../../src/storage/file-store.js';

const RUDE = 'You are an idiot and nobody likes you';
const HOSTILE = '<img src=x onerror="document.title=1">=HYPERLINK("http://x") \u202egnihton si siht';
const KIND = 'Thank you, the garden looks lovely';

let service: DashboardService;

beforeAll(async () => {
  if (chromiumPath === undefined) return;
  service = await startDashboard({ DECISIONS_KEY: Buffer.alloc(32, 1).toString('base64') });
});

afterAll(async () => {
  if (chromiumPath !== undefined) await service.stop();
});

/** A project that keeps texts, the page of its decisions, and a way to send it a text. */
async function projectWith(name: string, texts: readonly string[], options: BrowserContextOptions = {}) {
  const { policies, keys } = openFileStore(service.keysFile);
  const { key, record } = await keys.create({
    ...{ project: name, name: 'backend', environment: 'live', expiresInMs: null, rateLimitPerMinute: null },
  });
  const keep = { what: 'texts', days: 30, reference: 'id' };
  await policies.edit(record.projectId, () => ({ keep }), { by: 'command line' });
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  let latest = '';
  for (const [index, content] of texts.entries()) {
    const body = JSON.stringify({ content, metadata: { id: `user-${index % 2}` } });
    const answer = await fetch(`${service.address}/v1/analyze`, { method: 'POST', headers, body });
    latest = answer.headers.get('X-Decision-Id') ?? '';
  }
  // What was decided is written a moment later.
  await expect
    .poll(async () => (await fetch(`${service.address}/v1/decisions/${latest}`, { headers })).status, {
      timeout: 10_000,
    })
    .toBe(200);
  const page = await service.signedInPage(`/decisions?project=${record.projectId}`, options);
  return { page, id: record.projectId, latest };
}

describe.skipIf(chromiumPath === undefined)('who looks decisions up, in a browser', () => {
  it('finds them by a filter that stays in the address, and opens one: its text is blurred until asked for', async () => {
    const { page, latest } = await projectWith('lookup', [KIND, KIND, RUDE]);
    await page.getByText('Verdicts and texts are kept for 30 days, with metadata.id as the reference.').waitFor();
    await page.getByRole('heading', { name: '3 decisions' }).waitFor();
    await page.getByLabel('Outcome').selectOption('failed');
    await page.getByRole('heading', { name: '1 decision' }).waitFor();
    expect(page.url()).toContain('passed=false');
    await page.reload();
    await page.getByRole('heading', { name: '1 decision' }).waitFor();

    await page.getByRole('region', { name: 'Found' }).getByRole('row').last().getByRole('link').click();
    const opened = page.getByRole('region', { name: 'Decision' });
    const text = opened.locator('.marked');
    await text.waitFor({ state: 'attached' });
    expect([await text.getAttribute('aria-hidden'), await text.getAttribute('class')]).toEqual(['true', 'marked veil']);
    await opened.getByRole('button', { name: 'Show text' }).press('Enter');
    expect(await text.getAttribute('class')).toBe('marked');
    expect(await text.textContent()).toBe(RUDE);
    expect(await opened.textContent()).toContain(latest);
    expect(await opened.textContent()).toContain('version 1');
    await opened.getByRole('link', { name: 'Open in playground' }).click();
    await page.getByRole('heading', { name: 'Playground' }).waitFor();
    expect(await page.getByRole('textbox').first().inputValue()).toBe(RUDE);
    await page.goBack();
    await page.getByRole('link', { name: 'All decisions' }).click();
    await page.getByRole('heading', { name: '1 decision' }).waitFor();
    expect(page.complaints).toEqual([]);
  });

  it('sees a hostile text as text, takes all along as a table without formulas, and forgets a reference', async () => {
    const { page } = await projectWith('hostile', [HOSTILE, '=1+1', HOSTILE]);
    await page.getByRole('button', { name: 'Show texts' }).press('Enter');
    const texts = await page.locator('.decisions .quoted').allTextContents();
    expect(texts).toEqual([HOSTILE, '=1+1', HOSTILE]);
    expect(await page.title()).toBe('Decisions · Parapet');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toContain(`"'=1+1"`);

    await page.getByLabel('Reference').fill('user-0');
    await page.getByLabel('Reference').press('Enter');
    await page.getByRole('heading', { name: '2 decisions' }).waitFor();
    await page.getByRole('button', { name: 'Delete reference' }).press('Enter');
    await page.getByRole('button', { name: 'Delete for good' }).press('Enter');
    await page.getByRole('heading', { name: 'No decisions' }).waitFor();
    await page.getByRole('button', { name: 'Show all' }).press('Enter');
    await page.getByRole('heading', { name: '1 decision' }).waitFor();
    expect(page.complaints).toEqual([]);
  });

  it('decides in the policy what is kept, and the page of decisions says so', async () => {
    const { page, id } = await projectWith('keeping', [KIND]);
    await page.getByRole('link', { name: 'What the policy of keeping keeps' }).click();
    await page.getByLabel('Of each verdict').selectOption('the verdict');
    await page.getByRole('spinbutton', { name: 'Days' }).fill('7');
    await page.getByText('Not saved: what is kept').waitFor();
    await page.getByRole('button', { name: 'Save policy' }).press('Enter');
    await page.getByText('In force: version 2,').waitFor();
    const stored = await openFileStore(service.keysFile).policies.get(id);
    expect(stored.policy).toEqual({ keep: { what: 'verdicts', days: 7, reference: 'id' } });
    await page.getByRole('link', { name: 'Decisions', exact: true }).last().click();
    await page.getByText('Verdicts are kept for 7 days, with metadata.id as the reference.').waitFor();
  });

  it('reads all of it at every width, in both schemes', async () => {
    const { page, id, latest } = await projectWith('looks', [KIND, HOSTILE, RUDE, 'x'.repeat(3000)], {
      bypassCSP: true,
    });
    await page.getByRole('heading', { name: '4 decisions' }).waitFor();
    await expectGoodLooks(page, 'decisions');
    await page.getByRole('button', { name: 'Show texts' }).click();
    await expectGoodLooks(page, 'decisions with texts');
    await page.goto(`${service.address}/dashboard/decisions?project=${id}&decision=${latest}`);
    await page.getByRole('button', { name: 'Show text' }).click();
    await expectGoodLooks(page, 'a decision');
    await page.goto(`${service.address}/dashboard/policies?project=${id}&tab=keep`);
    await page.getByRole('heading', { name: 'What is kept' }).waitFor();
    await expectGoodLooks(page, 'what a policy keeps');
    for (const width of [375, 768]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    }
  });
});
