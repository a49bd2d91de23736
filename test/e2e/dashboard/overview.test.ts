/** Promises of the overview in a real browser: what an operator sees of a bad hour, and how it is looked into. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { chromiumPath, closeBrowser, newContext, newPage } from '../../support/browser.js';
import { BAD_HOUR, countTwoDays } from '../../support/dashboard/counted-days.js';
import { expectGoodLooks, signIn } from '../../support/dashboard/dashboard-page.js';
import { ADMIN_PASSWORD, createHttpService } from '../../support/http-service.js';

afterAll(closeBrowser);

async function openOverview(): Promise<Page & { readonly complaints: readonly string[] }> {
  const service = await createHttpService({ dashboard: {} });
  await countTwoDays(service.records, service.record.id);
  const page = await newPage(await newContext({ bypassCSP: true, acceptDownloads: true }));
  await page.goto(`http://127.0.0.1:${await service.listen()}/dashboard`);
  await signIn(page, ADMIN_PASSWORD);
  await page.getByRole('slider', { name: 'Share that failed, by hour' }).waitFor();
  return page;
}

async function valueAgo(page: Page, chart: string, steps: number): Promise<string | null> {
  const slider = page.getByRole('slider', { name: chart });
  await slider.press('End');
  for (let step = 0; step < steps; step += 1) await slider.press('ArrowLeft');
  return slider.getAttribute('aria-valuetext');
}

const tile = (page: Page, name: string): Promise<string[]> =>
  page
    .locator('.tile')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')
    .allTextContents();

describe.skipIf(chromiumPath === undefined)('an operator who looks at the overview', () => {
  it('sees the hour in which 40 % failed, against the day before, and which texts it was', async () => {
    const page = await openOverview();
    expect(await valueAgo(page, 'Share that failed, by hour', BAD_HOUR)).toMatch(/^\d\d:00: before 2 %, failed 40 %$/);
    expect(await valueAgo(page, 'Share that failed, by hour', BAD_HOUR + 1)).toMatch(/: before 2 %, failed 2 %$/);
    expect(await valueAgo(page, 'Refused, by hour', BAD_HOUR)).toMatch(/: refused 1$/);
    expect(await tile(page, 'Highest share')).toEqual([
      '40 %',
      expect.stringMatching(/^failed in the hour of \d\d:00$/),
    ]);
    expect(await tile(page, 'Failed')).toEqual(['3.6 %', 'before: 2.0 %']);
    await page.getByText(/^Times by the clock of this browser, \w+/).waitFor();

    await page.getByRole('region', { name: 'By language' }).getByRole('link', { name: 'German' }).click();
    await page.getByRole('link', { name: 'Take away language: German' }).waitFor();
    await expect.poll(() => tile(page, 'Requests')).toEqual(['86', 'before: 48']);
    expect(await page.getByRole('slider', { name: /^Refused/ }).count()).toBe(0);
    await page.getByRole('region', { name: 'By category' }).getByRole('link', { name: 'insult' }).click();
    await page.getByRole('button', { name: '7 days' }).click();
    expect(await valueAgo(page, 'Share that failed, by hour', BAD_HOUR)).toMatch(/^\w{3} \d\d:00: failed 100 %$/);
    await page.reload();
    await page.getByRole('button', { name: '7 days', pressed: true }).waitFor();
    await page.getByRole('link', { name: 'Take away category: insult' }).click();
    await page.getByRole('link', { name: 'Take away category: insult' }).waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByRole('link', { name: 'Take away category: insult' }).waitFor();
    expect(page.complaints).toEqual([]);
  });

  it('takes what is shown along as CSV', async () => {
    const page = await openOverview();
    await page.getByRole('region', { name: 'By score band' }).getByRole('link', { name: 'Toxic' }).click();
    await page.getByRole('link', { name: 'Take away band: Toxic' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as CSV' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(lines).toHaveLength(25);
    expect(lines.at(-1 - BAD_HOUR)).toMatch(/^[\dT:.Z-]+,40,40,/);
  });

  it('finds it without faults of accessibility or sideways scrolling, and days named as those of UTC', async () => {
    const page = await openOverview();
    await expectGoodLooks(page, 'a day');
    await page.getByRole('button', { name: '1 hour' }).click();
    await page.getByRole('slider', { name: 'Requests, by 5 minutes' }).waitFor();
    await page.getByRole('button', { name: '90 days' }).click();
    await page.getByText('Days of UTC.').waitFor();
    expect(await valueAgo(page, 'Requests, by day', 0)).toMatch(/^\w{3} \d+: requests \d+$/);
    await expectGoodLooks(page, '90 days');
  });
});
