/** Promises of fitting thresholds in a real browser, on the built service and the real model: what was fitted is in force once it is saved. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../support/browser.js';
import { expectGoodLooks, startDashboard, type DashboardService } from '../support/dashboard-page.js';
import { openNewEditor, save, threshold } from '../support/policy-editor.js';

const THINGS = ['parcel', 'ticket', 'garden', 'train', 'report', 'recipe', 'window', 'library'];
const DAYS = ['Monday', 'Tuesday', 'Thursday', 'Friday', 'Sunday'];
const HARMLESS = THINGS.flatMap((thing) => DAYS.map((day) => `Is the ${thing} open on ${day}?`));
const RUDE = THINGS.flatMap((thing) => [
  `You are an idiot, and your ${thing} too`,
  `Shut up about the ${thing}, you moron`,
]);
const CSV = ['body,rude', ...HARMLESS.map((text) => `${text},no`), ...RUDE.map((text) => `"${text}",yes`)].join('\n');

let service: DashboardService;

beforeAll(async () => {
  if (chromiumPath !== undefined) service = await startDashboard();
});

afterAll(async () => {
  if (chromiumPath !== undefined) await service.stop();
});

describe.skipIf(chromiumPath === undefined)('who has labelled texts, in a browser', () => {
  it('fits a threshold to them, is told where they are too few, takes it into the form and saves it', async () => {
    const { page, stored, elsewhere } = await openNewEditor(service, 'tuned', { bypassCSP: true });
    await elsewhere({ ignoredTerms: ['Scunthorpe'] });
    await page.reload();
    const fit = page.getByRole('region', { name: 'Thresholds from labels' });
    const result = page.locator('#fit-result');
    await fit
      .getByLabel('Labelled CSV')
      .setInputFiles({ name: 'texts.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) });
    await fit.getByLabel('Label that means yes').fill('yes');
    await fit.getByLabel('Text column').fill('body');
    await fit.getByText('Columns of single categories').press('Enter');
    const column = fit.getByLabel('Label column of insult');
    await column.fill('nothing');
    await column.press('Enter');
    await fit.getByRole('alert').getByText('There are: body, rude.').waitFor();

    await column.fill('rude');
    await column.press('Enter');
    await result.getByText('insult: too few texts that are not labelled so to tell: 40, and about 800').waitFor();
    expect(await fit.getByRole('alert').count()).toBe(0);
    const take = result.getByRole('button', { name: 'Take into form' });
    expect(await take.isDisabled()).toBe(true);
    await expectGoodLooks(page, 'too few texts');

    const wanted = fit.getByLabel('Wanted false alarms in %');
    await wanted.fill('20');
    await wanted.press('Enter');
    await result.getByText('at most 20 % each').waitFor();
    const rows = result.locator('tbody tr');
    expect(await rows.locator('th').allTextContents()).toEqual([
      'insultis only reported',
      'Whole policywhat fails, for whatever reason',
    ]);
    const [thresholds = '', found = '', falseAlarms = ''] = await rows.first().locator('td').allTextContents();
    expect(found).toMatch(/^now \d+ of 16: .*fitted 16 of 16: 100 % \(79 % to 100 %\)$/);
    expect(falseAlarms).toMatch(/^now \d+ of 40: .*fitted \d of 40: .* %\)$/);
    const [, now, fitted = ''] = /^now ([\d.]+) %fitted ([\d.]+) %$/.exec(thresholds) ?? [];
    expect(fitted).not.toBe(now);
    await take.press('Enter');
    await result.getByText('Taken: insult. Save the policy above.').waitFor();
    await page.getByText('Not saved: insult').waitFor();
    expect((await stored()).version).toBe(1);
    await expectGoodLooks(page, 'fitted thresholds');

    await save(page, 2);
    const { policy, by } = await stored();
    expect([policy.ignoredTerms, by]).toEqual([['Scunthorpe'], 'dashboard']);
    expect(Object.keys(policy.categories ?? {})).toEqual(['insult']);
    expect(policy.categories?.insult).toEqual({ threshold: expect.closeTo(Number(fitted) / 100, 6) as number });
    expect(Number(await threshold(page, 'insult').inputValue())).toBeCloseTo(Number(fitted) / 100, 1);
    expect(page.complaints.filter((complaint) => !complaint.includes('400'))).toEqual([]);
  });
});
