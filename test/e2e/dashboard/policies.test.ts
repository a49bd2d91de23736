/** Promises of the policy editor in a real browser, on the built service and the real model: what is saved there is what keys get. */
import { readFile } from 'node:fs/promises';
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { chromiumPath } from '../../support/browser.js';
import { expectGoodLooks, startDashboard, type DashboardService } from '../../support/dashboard/dashboard-page.js';
import {
  field,
  openNewEditor,
  openTab,
  save,
  terms,
  threshold,
  type PolicyEditor,
} from '../../support/dashboard/policy-editor.js';
import { analyzeInDetail, createKey } from '../../support/service.js';
import { KIND } from '../../support/texts.js';

/** Fails by default, passes where insults are only reported. */
const RUDE = 'You are an idiot';

/** Labelled texts, to fit a threshold of insults to. */
const THINGS = ['parcel', 'ticket', 'garden', 'train', 'report', 'recipe', 'window', 'library'];
const DAYS = ['Monday', 'Tuesday', 'Thursday', 'Friday', 'Sunday'];
const HARMLESS = THINGS.flatMap((thing) => DAYS.map((day) => `Is the ${thing} open on ${day}?`));
const RUDE_TEXTS = THINGS.flatMap((thing) => [
  `You are an idiot, and your ${thing} too`,
  `Shut up about the ${thing}, you moron`,
]);
const CSV = ['body,rude', ...HARMLESS.map((text) => `${text},no`), ...RUDE_TEXTS.map((text) => `"${text}",yes`)].join(
  '\n',
);

let service: DashboardService;

beforeAll(async () => {
  if (chromiumPath !== undefined) service = await startDashboard();
});

afterAll(async () => {
  if (chromiumPath !== undefined) await service.stop();
});

const newEditor = (project: string, options?: BrowserContextOptions): Promise<PolicyEditor> =>
  openNewEditor(service, project, options);

async function passes(key: string, text: string): Promise<boolean> {
  return (await analyzeInDetail({ address: service.address, key }, text)).passed;
}

describe.skipIf(chromiumPath === undefined)('who decides what a community allows, in a browser', () => {
  it('saves a preset, which the very next text judged with a key of the project follows, and no other', async () => {
    const { page, key, stored } = await newEditor('forum');
    const { key: other } = await createKey(service.keysFile, { project: 'school' });
    expect(await passes(key, RUDE)).toBe(false);
    await field(page, 'Preset').selectOption('adults');
    await page.getByText('Not saved: preset').waitFor();
    expect(await passes(key, RUDE)).toBe(false);
    await save(page, 1);
    expect(await passes(key, RUDE)).toBe(true);
    expect(await passes(other, RUDE)).toBe(false);
    expect(await stored()).toMatchObject({ version: 1, by: 'dashboard', policy: { preset: 'adults' } });
    expect(page.complaints).toEqual([]);
  });

  it('changes thresholds, actions and the score with the keyboard alone, and leaves them to the preset again', async () => {
    const { page, key, stored } = await newEditor('keyboard');
    const slider = threshold(page, 'insult');
    await slider.press('End');
    await slider.press('ArrowLeft');
    expect(await slider.getAttribute('aria-valuetext')).toBe('99 %');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('A text with insult');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('As preset: threshold of insult');
    await page.getByRole('combobox', { name: 'A text with toxic', exact: true }).press('i');
    await field(page, 'Highest score that passes').press('End');
    await save(page, 1);
    const policy = { passMaxScore: 10, categories: { insult: { threshold: 0.99 }, toxic: { action: 'report' } } };
    expect((await stored()).policy).toEqual(policy);
    expect(await page.evaluate('document.activeElement.textContent')).toContain('In force: version 1');
    const { categories, passed } = await analyzeInDetail({ address: service.address, key }, RUDE);
    expect([passed, categories.includes('insult')]).toEqual([true, false]);

    await page.getByRole('button', { name: 'As preset: threshold of insult' }).press('Enter');
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Threshold of insult');
    await save(page, 2);
    expect((await stored()).policy.categories).toEqual({ toxic: { action: 'report' } });
    await page.getByRole('button', { name: 'Leave everything to the preset' }).press('Enter');
    await save(page, 3);
    expect(await passes(key, RUDE)).toBe(false);
  });

  it('is told what somebody else changed meanwhile, loses nothing that was typed, and saves both', async () => {
    const { page, elsewhere, stored } = await newEditor('together');
    await openTab(page, 'Terms');
    await terms(page, 'Terms that always fail').fill('mine\nours\n');
    await elsewhere({ passMaxScore: 5, categories: { hate: { threshold: 0.3 } }, blockedTerms: ['theirs'] });
    await page.getByRole('button', { name: 'Save policy' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'Not saved' });
    const told = (await alert.textContent()) ?? '';
    expect(told).toMatch(/Version 1, .*, by the command line: .*highest score that passes: 5.*hate from 30 %/);
    expect(await terms(page, 'Terms that always fail').inputValue()).toBe('mine\nours\n');
    expect((await stored()).policy.blockedTerms).toEqual(['theirs']);

    await alert.getByRole('button', { name: 'Load version 1, keep my changes' }).click();
    expect(await terms(page, 'Terms that always fail').inputValue()).toBe('theirs\nmine\nours\n');
    await openTab(page, 'Rules');
    expect(await field(page, 'Highest score that passes').inputValue()).toBe('5');
    await save(page, 2);
    expect((await stored()).policy).toEqual({
      passMaxScore: 5,
      categories: { hate: { threshold: 0.3 } },
      blockedTerms: ['theirs', 'mine', 'ours'],
    });
  });

  it('imports and exports terms as plain text, and says which lines repeat others', async () => {
    const { page, stored } = await newEditor('lists');
    await openTab(page, 'Terms');
    const list = Buffer.from('# ours\r\nfoo\r\n\\#metoo\r\nfoo\r\nслово\r\n');
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Import blocked.txt' }).press('Enter');
    await (await chooser).setFiles({ name: 'list.txt', mimeType: 'text/plain', buffer: list });
    await page.getByText('Line 4 repeats line 2.', { exact: true }).waitFor();
    await page.getByText('3 terms', { exact: true }).waitFor();
    await save(page, 1);
    expect((await stored()).policy.blockedTerms).toEqual(['foo', '#metoo', 'слово']);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export blocked.txt' }).press('Enter');
    expect(await readFile(await (await download).path(), 'utf8')).toBe('foo\n\\#metoo\nслово\n');
    expect(page.complaints).toEqual([]);
  });

  it('sees before saving which texts would be judged otherwise, pasted or of a CSV, and stores nothing by looking', async () => {
    const { page, stored } = await newEditor('ahead');
    await field(page, 'Preset').selectOption('adults');
    await openTab(page, 'Preview');
    await page.getByRole('textbox', { name: 'Texts', exact: true }).fill(`${KIND}\n${RUDE}\n`);
    await page.getByRole('button', { name: 'Preview' }).click();
    const result = page.locator('#preview-result');
    await result.getByText('now passes').waitFor();
    expect(await result.locator('dd').allTextContents()).toEqual(['2', '1 → 0', '0', '1', '0']);
    expect(await result.locator('tbody th').allTextContents()).toEqual([`${RUDE}row 2`]);

    const csv = Buffer.from(`id,body\n1,"${RUDE}, really"\n2,"${KIND}"\n`);
    await page.getByLabel('Try it on').selectOption('a file');
    await page.getByLabel('File of texts').setInputFiles({ name: 'texts.csv', mimeType: 'text/csv', buffer: csv });
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('alert').getByText('There are: id, body.').waitFor();
    await field(page, 'Column of the texts').selectOption('body');
    await page.getByRole('button', { name: 'Preview' }).click();
    await result.getByText(`${RUDE}, really`).waitFor();
    expect((await stored()).version).toBe(0);
  });

  it('watches a few texts of their own as a slider moves, those that stay as they are too, and opens one in the playground', async () => {
    const { page } = await newEditor('watched');
    await field(page, 'Highest score that passes').selectOption('10');
    await page.getByRole('textbox', { name: 'A few texts' }).fill(`${RUDE}\n${KIND}`);
    const watched = page.getByRole('region', { name: 'Texts to watch' }).getByRole('listitem');
    await watched.filter({ hasText: RUDE }).getByText('(in force: failed)').waitFor();
    await watched.filter({ hasText: KIND }).getByText('passed').waitFor();
    await page.getByRole('combobox', { name: 'A text with insult', exact: true }).selectOption('fail');
    await watched.filter({ hasText: RUDE }).and(page.locator('.failed')).waitFor();
    await threshold(page, 'insult').press('End');
    await watched.filter({ hasText: RUDE }).and(page.locator('.passed')).waitFor();
    await page.getByText('a text whose score is above').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: RUDE }).click();
    await page.getByRole('region', { name: 'Policy of watched' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Text', exact: true }).inputValue()).toBe(RUDE);
  });

  it('shares by a link what is tried, without the text, and whoever opens it has it unsaved', async () => {
    const { page } = await newEditor('shared', { permissions: ['clipboard-read', 'clipboard-write'] });
    await threshold(page, 'hate').press('Home');
    await openTab(page, 'Terms');
    await terms(page, 'Terms that always fail').fill('secret');
    await page.getByRole('link', { name: 'Playground' }).click();
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill(RUDE);
    await field(page, 'Judge as').selectOption({ label: 'shared' });
    await page.getByRole('button', { name: 'Copy link to these settings' }).click();
    const link = z.string().parse(await page.evaluate('navigator.clipboard.readText()'));
    expect(decodeURIComponent(link)).not.toMatch(/idiot|secret/);
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByText('Not saved: hate').waitFor();
    await page.goto('about:blank');
    await page.goto(link.replace(/policy=.*/, 'policy=%7B%22categories%22%3A7%7D'));
    await page.getByText('No policy yet').waitFor();
    expect(page.complaints).toEqual([]);
  });

  it('tries thresholds on a text in the playground as the project would judge it, and saves what was tried', async () => {
    const { page, key, stored } = await newEditor('tried');
    await page.getByRole('link', { name: 'Playground' }).click();
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill(RUDE);
    await page.keyboard.press('Control+Enter');
    const verdict = page.getByRole('region', { name: 'Verdict' });
    await verdict.getByText('Failed', { exact: true }).waitFor();
    await field(page, 'Judge as').selectOption({ label: 'tried' });
    const policy = page.getByRole('region', { name: 'Policy of tried' });
    await policy.getByRole('link', { name: 'Whole policy' }).click();
    await field(page, 'Preset').selectOption('adults');
    await page.getByRole('link', { name: 'Playground' }).click();
    await field(page, 'Judge as').selectOption({ label: 'tried' });
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill(RUDE);
    await page.keyboard.press('Control+Enter');
    await verdict.getByText('Passed', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'A text with insult', exact: true }).selectOption('fail');
    await verdict.getByText('Failed', { exact: true }).waitFor();
    const slider = threshold(page, 'insult');
    await slider.press('End');
    await verdict.getByText('Passed', { exact: true }).waitFor();
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Threshold of insult');
    expect(await passes(key, RUDE)).toBe(false);
    await save(page, 1);
    expect((await stored()).policy).toEqual({
      preset: 'adults',
      categories: { insult: { action: 'fail', threshold: 1 } },
    });
    expect(await passes(key, RUDE)).toBe(true);
    expect(page.complaints).toEqual([]);
  });

  it('finds no fault of accessibility or sideways scrolling in the editor and the playground of a project', async () => {
    const { page, elsewhere } = await newEditor('looks', { bypassCSP: true });
    await elsewhere({ preset: 'news' });
    await threshold(page, 'hate').press('Home');
    await page.getByRole('textbox', { name: 'A few texts' }).fill(`${KIND}\n${RUDE}\n`);
    await page.getByRole('link', { name: RUDE }).waitFor();
    await expectGoodLooks(page, 'rules');
    await openTab(page, 'Terms');
    await terms(page, 'Terms that always fail').fill('foo\nfoo\n');
    await expectGoodLooks(page, 'terms');
    await openTab(page, 'Preview');
    await page.getByRole('textbox', { name: 'Texts', exact: true }).fill(`${KIND}\n${RUDE}\n`);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.locator('.changes').waitFor();
    await page.getByRole('button', { name: 'Save policy' }).click();
    await page.getByRole('alert').filter({ hasText: 'Not saved' }).waitFor();
    await expectGoodLooks(page, 'preview and conflict');
    await page.getByRole('button', { name: 'Load version 1, keep my changes' }).click();
    await save(page, 2);
    await openTab(page, 'History');
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await expectGoodLooks(page, 'restore');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Playground' }).click();
    await field(page, 'Judge as').selectOption({ label: 'looks' });
    await page.getByRole('button', { name: 'Rude', exact: true }).click();
    await page.locator('.result[aria-busy=false] .verdict').waitFor();
    await threshold(page, 'insult').press('ArrowRight');
    await page.getByText('Not saved: insult').waitFor();
    await expectGoodLooks(page, 'playground');
  });

  it('fits a threshold to them, is told where they are too few, takes it into the form and saves it', async () => {
    const { page, stored, elsewhere } = await newEditor('tuned', { bypassCSP: true });
    await elsewhere({ ignoredTerms: ['Scunthorpe'] });
    await page.reload();
    await openTab(page, 'From labels');
    const fit = page.getByRole('region', { name: 'Thresholds from labels' });
    const result = page.locator('#fit-result');
    await fit
      .getByLabel('Labelled CSV')
      .setInputFiles({ name: 'texts.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) });
    await fit.getByLabel('Label that means yes').fill('yes');
    const wanted = fit.getByLabel('Wanted false alarms in %');
    await wanted.press('Enter');
    await fit.getByRole('alert').getByText('Name the column with the labels.').waitFor();

    await fit.getByLabel('Text column').selectOption('body');
    await fit.getByText('Columns of single categories').press('Enter');
    await fit.getByLabel('Label column of insult').selectOption('rude');
    await wanted.press('Enter');
    await result.getByText('insult: too few texts that are not labelled so to tell: 40, and about 800').waitFor();
    expect(await fit.getByRole('alert').count()).toBe(0);
    const take = result.getByRole('button', { name: 'Take into form' });
    expect(await take.isDisabled()).toBe(true);
    await expectGoodLooks(page, 'too few texts');

    await wanted.fill('20');
    await wanted.press('Enter');
    await result.getByText('at most 20 % each').waitFor();
    const rows = result.locator('.fits tbody tr');
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
    await result.getByText('Taken: insult. Save the policy below.').waitFor();
    await page.getByText('Not saved: insult').waitFor();
    expect((await stored()).version).toBe(1);
    await expectGoodLooks(page, 'fitted thresholds');

    await save(page, 2);
    const { policy, by } = await stored();
    expect([policy.ignoredTerms, by]).toEqual([['Scunthorpe'], 'dashboard']);
    expect(Object.keys(policy.categories ?? {})).toEqual(['insult']);
    expect(policy.categories?.insult).toEqual({ threshold: expect.closeTo(Number(fitted) / 100, 6) as number });
    await openTab(page, 'Rules');
    expect(Number(await threshold(page, 'insult').inputValue())).toBeCloseTo(Number(fitted) / 100, 1);
    expect(page.complaints.filter((complaint) => !complaint.includes('400'))).toEqual([]);
  });
});
