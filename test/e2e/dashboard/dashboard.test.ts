/** Promises of the dashboard in a real browser, on the built service and the real model: what an operator does, end to end. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { chromiumPath, newContext, newPage } from '../../support/browser.js';
import {
  createKey,
  createProject,
  expectGoodLooks,
  shownKey,
  signIn,
  startDashboard,
  type DashboardService,
} from '../../support/dashboard/dashboard-page.js';
import { ADMIN_PASSWORD, createHttpService } from '../../support/http-service.js';
import { post } from '../../support/service.js';
import { KIND, TOXIC } from '../../support/texts.js';

let service: DashboardService;
let address: string;

beforeAll(async () => {
  if (chromiumPath === undefined) return;
  service = await startDashboard();
  ({ address } = service);
});

afterAll(async () => {
  if (chromiumPath === undefined) return;
  await service.stop();
});

async function archiveProject(page: Page, name: string): Promise<void> {
  await page.getByRole('region', { name, exact: true }).getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('button', { name: 'Archive project' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** For the page to run: what each part of the verdict looks like. */
const LOOKS_OF_VERDICT = `[...document.querySelectorAll('.verdict *')].map((element) => {
  const { color, fontSize } = getComputedStyle(element);
  return { text: element.textContent, color, size: parseFloat(fontSize) };
})`;

const statusOf = async (key: string): Promise<number> => (await post({ address, key }, KIND)).status;

describe.skipIf(chromiumPath === undefined)('an operator in a browser', () => {
  it('is told that a password is wrong, and gets in with the right one', async () => {
    const page = await newPage(await newContext());
    await page.goto(`${address}/dashboard/playground`);
    await signIn(page, 'not this password');
    await page.getByRole('alert').getByText('This is not the password.').waitFor();
    await signIn(page);
    await page.getByRole('heading', { name: 'Playground' }).waitFor();
    expect(page.complaints).toEqual([]);
  });

  it('sees the whole life of a key: created, copied, used, rotated, revoked with effect on the very next request', async () => {
    const page = await service.signedInPage('/keys', { permissions: ['clipboard-read', 'clipboard-write'] });
    await createProject(page, 'life');
    await page.getByRole('region', { name: 'life' }).getByRole('button', { name: 'Create API key' }).click();
    await page.getByLabel('Label').fill('backend');
    await page.getByLabel('Expires').selectOption('90');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('It is shown only now.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Copy key' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const key = await shownKey(page);
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    expect(await statusOf(key)).toBe(200);
    await page.reload();
    await page.getByText('1, 0 % failed').waitFor();
    expect(await page.content()).not.toContain(key);

    await page.getByRole('button', { name: 'Rotate backend' }).click();
    await page.getByRole('button', { name: 'Rotate key' }).click();
    const successor = await shownKey(page);
    expect([await statusOf(key), await statusOf(successor)]).toEqual([200, 200]);

    const rows = page.getByRole('region', { name: 'life' }).locator('tbody tr:not(.ended)');
    for (const [left, revoked] of [
      [1, successor],
      [0, key],
    ] as const) {
      await rows.first().getByRole('button', { name: 'Revoke backend' }).click();
      await page.getByRole('button', { name: 'Revoke key' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await statusOf(revoked)).toBe(401);
      expect(await rows.count()).toBe(left);
    }
    expect(page.complaints).toEqual([]);
  });

  it('brings an archived project back with the keyboard alone: its old key is listed and stays revoked, a new one works', async () => {
    const page = await service.signedInPage('/keys');
    const section = await createProject(page, 'season');
    const key = await createKey(page, 'season', 'summer');
    expect(await statusOf(key)).toBe(200);
    await archiveProject(page, 'season');
    expect(await section.isVisible()).toBe(false);

    await page.getByText('Archived projects').press('Enter');
    const row = section.getByRole('row').filter({ hasText: 'summer' });
    expect(await section.textContent()).toMatch(/Archived \w+ \d+, \d{4}, \d\d:\d\d/);
    expect(await row.getByRole('cell').allTextContents()).toEqual([
      'revoked',
      expect.stringMatching(/^\w+ \d+, \d{4}$/),
      expect.stringMatching(/^revoked \w+ \d+, \d{4}$/),
      expect.stringMatching(/^\w+ \d+, \d{4}, \d\d:\d\d$/),
      '1, 0 % failed',
      '',
    ]);
    expect(await section.getByRole('button').allTextContents()).toEqual(['Restore']);

    await section.getByRole('button', { name: 'Restore' }).press('Enter');
    await page.getByText('Keys that were revoked stay so').waitFor();
    await page.getByRole('button', { name: 'Restore project' }).press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await section.and(page.locator(':focus')).waitFor();
    expect(await statusOf(key)).toBe(401);
    expect(await statusOf(await createKey(page, 'season', 'winter'))).toBe(200);
    expect(page.complaints).toEqual([]);
  });

  it('gives the focus back to what opened a dialog, or to what is left of it', async () => {
    const page = await service.signedInPage('/keys');
    await createProject(page, 'focus');
    const section = page.getByRole('region', { name: 'focus', exact: true });
    const focused = (): Promise<string> =>
      page.evaluate('document.activeElement.ariaLabel || document.activeElement.textContent');
    await expect.poll(focused).toBe('New project');
    await createKey(page, 'focus', 'first');
    await expect.poll(focused).toBe('Create API key');
    await section.getByRole('button', { name: 'Revoke first' }).click();
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Revoke first');
    await section.getByRole('button', { name: 'Revoke first' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await expect.poll(focused).toBe('focus');
    await archiveProject(page, 'focus');
    await expect.poll(focused).toBe('Projects and keys');
  });

  it('tries a toxic, a kind and a disguised text with the keyboard alone', async () => {
    const page = await service.signedInPage('/playground');
    const judge = async (content: string): Promise<void> => {
      await page.getByLabel('Text').fill(content);
      const answered = page.waitForResponse((response) => response.url().endsWith('/playground'));
      await page.keyboard.press('Control+Enter');
      await answered;
      await page.locator('.result[aria-busy=false] .verdict').waitFor();
    };
    await judge(TOXIC);
    await page.locator('.verdict').getByText('Failed', { exact: true }).waitFor();
    expect(await page.locator('mark').first().textContent()).toContain('insult');
    expect(await page.locator('.bars .detected').count()).toBeGreaterThan(0);
    await page.getByText('curl', { exact: true }).click();
    expect(await page.getByRole('region', { name: 'curl' }).textContent()).toContain(`{"content":"${TOXIC}"}`);

    await judge(KIND);
    await page.locator('.verdict').getByText('Passed', { exact: true }).waitFor();
    expect(await page.locator('mark').count()).toBe(0);
    expect(await page.getByText('Read as').count()).toBe(0);

    await judge('y0u st*pid 1d1ot');
    await page.locator('.verdict').getByText('Failed', { exact: true }).waitFor();
    expect(await page.locator('.copy-read').textContent()).toBe('you stupid idiot');
    await judge('<img src=x onerror=alert(1)> <script>alert(2)</script> idiot');
    expect(await page.locator('.marked').first().textContent()).toContain('<img src=x onerror=alert(1)>');
    expect(page.complaints).toEqual([]);
  });

  it('is told first that a text fails, and nowhere that it is safe, in words or in large and green, however low its score', async () => {
    const page = await service.signedInPage('/playground');
    await page.getByRole('button', { name: 'Spam', exact: true }).click();
    const verdict = page.getByRole('region', { name: 'Verdict' });
    await verdict.waitFor();
    expect(await verdict.locator('p').first().textContent()).toBe('Failed');
    expect(await verdict.locator('.points').textContent()).toBe('0 of 10');
    expect(await verdict.textContent()).toMatch(/Failed: spam/);
    expect(await verdict.textContent()).not.toMatch(/safe/i);
    const looks = z
      .array(z.object({ text: z.string(), color: z.string(), size: z.number() }))
      .parse(await page.evaluate(LOOKS_OF_VERDICT));
    const largest = Math.max(...looks.map(({ size }) => size));
    expect(looks.filter(({ size }) => size === largest)).toMatchObject([{ text: 'Failed', color: 'rgb(179, 38, 30)' }]);
    expect(looks.filter(({ color }) => color === 'rgb(18, 105, 63)')).toEqual([]);
  });

  it('sees no verdict of an earlier text beside an error', async () => {
    const page = await service.signedInPage('/playground');
    await page.getByLabel('Text').fill(KIND);
    await page.keyboard.press('Control+Enter');
    await page.locator('.verdict').waitFor();
    await page.getByLabel('Text').fill('a'.repeat(10_001));
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alert').getByText('10,000').or(page.getByRole('alert').getByText('10000')).waitFor();
    expect(await page.locator('.verdict').count()).toBe(0);
    await page.getByText('No verdict yet').waitFor();
  });

  it('finds text, project and period again after a reload, and goes back to those before, by addresses that tell no server the text', async () => {
    const page = await service.signedInPage('/keys');
    await createProject(page, 'address');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('link', { name: 'Playground' }).click();
    await page.getByRole('button', { name: 'Kind', exact: true }).click();
    const text = page.getByRole('textbox', { name: 'Text', exact: true });
    const first = await text.inputValue();
    await page.getByText('Passed', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Threat', exact: true }).click();
    await page.getByText('Failed', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Judge as' }).selectOption({ label: 'address' });
    await page.getByRole('region', { name: 'Policy of address' }).waitFor();
    await page.reload();
    await page.getByRole('region', { name: 'Policy of address' }).waitFor();
    await page.getByText('Failed', { exact: true }).waitFor();
    await page.goBack();
    await page.goBack();
    await page.getByText('Passed', { exact: true }).waitFor();
    expect(await text.inputValue()).toBe(first);
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('button', { name: '30 days' }).click();
    await page.reload();
    await page.getByRole('button', { name: '30 days', pressed: true }).waitFor();
    expect(asked.filter((url) => /lovely|live/.test(url))).toEqual([]);
    expect(page.complaints).toEqual([]);
  });

  it('is led from an empty overview to a key and a request to paste, and sees the first verdict as it comes in', async () => {
    const { listen } = await createHttpService({ dashboard: {} });
    const page = await newPage(await newContext({ bypassCSP: true }));
    await page.goto(`http://127.0.0.1:${await listen()}/dashboard`);
    await signIn(page, ADMIN_PASSWORD);
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByText('Waiting for the first verdict').waitFor();
    await expectGoodLooks(page, 'first key');
    await page.getByRole('button', { name: 'Node', exact: true }).click();
    const request = (await page.getByRole('region', { name: 'Node' }).textContent()) ?? '';
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', request]);
    expect(stdout).toContain('passed:');
    await page.getByText('The first verdict is here').waitFor();
    const chart = page.getByRole('slider', { name: 'Requests, by hour' });
    await chart.press('End');
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/^\d\d:00: requests 1$/);
    await page.getByText(/^\d\d:00 requests 1/).waitFor();
    await chart.press('ArrowLeft');
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/^\d\d:00: requests 0$/);
    await expectGoodLooks(page, 'overview');
  });

  it('who signs out in one tab is signed out in the other, and may sign in there again', async () => {
    const context = await newContext();
    const [one, other] = [await newPage(context), await newPage(context)];
    await one.goto(`${address}/dashboard/keys`);
    await signIn(one);
    await one.getByRole('button', { name: 'New project' }).waitFor();
    await other.goto(`${address}/dashboard/keys`);
    await other.getByRole('button', { name: 'New project' }).click();
    await one.getByRole('button', { name: 'Sign out' }).click();
    await one.getByRole('heading', { name: 'Sign in to Parapet' }).waitFor();
    await other.getByRole('textbox', { name: 'Name' }).fill('too late');
    await other.getByRole('button', { name: 'Create project' }).click();
    await other.getByText('Your session has ended. Sign in again.').waitFor();
    await signIn(other);
    await other.getByRole('heading', { name: 'Projects and keys' }).waitFor();
    // The first tab still has the token of the old session once it signs in by reloading.
    await one.reload();
    await one.getByRole('heading', { name: 'Projects and keys' }).waitFor();
  });

  it('is asked to sign in again once the session has expired, and comes back to the same place and to what was typed', async () => {
    let time = Date.parse('2030-01-01T00:00:00Z');
    const { listen } = await createHttpService({ dashboard: { now: () => new Date(time) } });
    const page = await newPage(await newContext());
    await page.goto(`http://127.0.0.1:${await listen()}/dashboard/keys`);
    await signIn(page, ADMIN_PASSWORD);
    await page.getByRole('button', { name: 'New project' }).waitFor();
    await page.getByRole('link', { name: 'Playground' }).click();
    const example = page.getByRole('button', { name: 'Kind' });
    await example.waitFor();
    time += 31 * 60_000;
    await example.click();
    await page.getByText('Your session has ended. Sign in again.').waitFor();
    await signIn(page, ADMIN_PASSWORD);
    await page.getByRole('heading', { name: 'Playground' }).waitFor();

    await page.getByRole('link', { name: 'Policies' }).click();
    await page.getByRole('link', { name: 'Terms' }).click();
    const terms = page.getByRole('textbox', { name: 'Terms that always fail' });
    await terms.fill('typed before');
    time += 31 * 60_000;
    await page.getByRole('button', { name: 'Save policy' }).click();
    await signIn(page, ADMIN_PASSWORD);
    await page.getByText('Not saved: terms that always fail').waitFor();
    expect((await terms.inputValue()).trim()).toBe('typed before');
  });

  const VIEWS = ['', '/keys', '/policies', '/playground'];
  it('finds pages without faults of accessibility or sideways scrolling, wide and light, narrow and dark', async () => {
    const page = await service.signedInPage('', { bypassCSP: true });
    const check = (what: string): Promise<void> => expectGoodLooks(page, what);
    for (const view of VIEWS) {
      await page.goto(`${address}/dashboard${view}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await check(view);
    }
    await page.getByRole('button', { name: 'Rude', exact: true }).click();
    await page.locator('.verdict').waitFor();
    await check('verdict');
    await page.goto(`${address}/dashboard/keys`);
    await page.getByRole('button', { name: 'New project' }).click();
    await check('dialog');
    await page.keyboard.press('Escape');
    await createProject(page, 'looks');
    await createKey(page, 'looks', 'backend');
    await archiveProject(page, 'looks');
    await page.getByText('Archived projects').click();
    await check('archived');
  });
});
