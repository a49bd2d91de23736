/** An hour of somebody who was invited to review, in a real browser on the built service and the real model: on a telephone, a tablet and a desk, in both schemes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFileStore } from '../../../src/storage/file-store.js';
import { chromiumPath, newContext, newPage, type WatchedPage } from '../../support/browser.js';
import {
  expectGoodLooks,
  signIn,
  startDashboard,
  type DashboardService,
} from '../../support/dashboard/dashboard-page.js';
import { accept, invite } from '../../support/dashboard/invitations.js';
import { expectFocus } from '../../support/dashboard/whole-text.js';

/** Made here, so that no scanner takes it for somebody's. */
const PASSWORD = ['a', 'password', 'of', 'their', 'own'].join(' ');
const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const BREAK_AFTER = 25;
const DOUBTED = [
  `Du bist ein Idiot, und die ${LONG_WORD} weiß das`,
  'أنت غبي وأحمق، ولا أحد يحبك هنا',
  'אתה טיפש, ואף אחד לא אוהב אותך',
  `You idiot <img src=x onerror="document.title=1"> ${'x'.repeat(300)}`,
  ...Array.from({ length: BREAK_AFTER }, (_, index) => `You are an idiot, and so is parcel number ${index}`),
];
const APPEALED = 'You are a stupid idiot, shut up';
const APPEAL = 'كنت أمزح مع صديقي، وهو يعرف ذلك';

let service: DashboardService;

beforeAll(async () => {
  if (chromiumPath === undefined) return;
  service = await startDashboard({ DECISIONS_KEY: Buffer.alloc(32, 1).toString('base64') });
});

afterAll(async () => {
  if (chromiumPath !== undefined) await service.stop();
});

/** A project whose texts of middling score are reviewed, with one that was appealed. @returns its id */
async function projectOf(name: string): Promise<string> {
  const { policies, keys } = openFileStore(service.keysFile);
  const { key, record } = await keys.create({
    ...{ project: name, name: 'backend', environment: 'live', expiresInMs: null, rateLimitPerMinute: null },
  });
  const policy = { review: { scores: { from: 2, to: 10 } }, keep: { what: 'texts', days: 30, reference: 'id' } };
  await policies.edit(record.projectId, () => policy, { by: 'command line' });
  const ask = (path: string, body: object): Promise<Response> =>
    fetch(`${service.address}/v1/${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const send = (content: string, index: number): Promise<Response> =>
    ask('analyze', { content, metadata: { id: `${LONG_WORD}/${index}` } });
  const { headers } = await send(APPEALED, 0);
  const appeal = (): Promise<Response> =>
    ask(`decisions/${headers.get('X-Decision-Id') ?? ''}/appeals`, { text: APPEAL });
  // What was decided is written a moment later.
  await expect.poll(async () => (await appeal()).status, { timeout: 10_000 }).toBe(201);
  for (const [index, content] of DOUBTED.entries()) await send(content, index + 1);
  return record.projectId;
}

const card = (page: WatchedPage) => page.getByRole('region', { name: 'Decision' });
const textIn = (page: WatchedPage): Promise<string | null> => card(page).locator('.marked').textContent();

/** Presses R as soon as there is a text. @returns how long the next one took, in milliseconds */
const JUDGE_RIGHT = `new Promise((resolve) => {
  const text = () => document.querySelector('.veiled .marked')?.textContent ?? document.querySelector('.empty h2')?.textContent;
  const before = text();
  const begun = performance.now();
  const look = () => (text() === before || text() === undefined ? requestAnimationFrame(look) : resolve(performance.now() - begun));
  dispatchEvent(new KeyboardEvent('keydown', { key: 'r' }));
  look();
})`;

const SIZES = [
  [375, 667],
  [768, 1024],
  [1280, 800],
] as const;

describe.skipIf(chromiumPath === undefined)("a moderator's hour, in a browser", () => {
  it.each(SIZES)('goes well in a window of %i by %i', { timeout: 180_000 }, async (width, height) => {
    const name = `moderatorin.${width}@nachbarschaftshilfe-sankt-margarethen.example`;
    const owner = await service.signedInPage('/people');
    const link = await invite(owner, name, 'reviewer');
    const project = await projectOf(`${LONG_WORD} ${width}`);
    const page = await newPage(await newContext({ bypassCSP: true, viewport: { width, height } }));
    const heading = (title: string) => page.getByRole('heading', { level: 1, name: title });
    const nav = page.getByRole('navigation', { name: 'Views' });
    const look = async (what: string): Promise<void> => {
      const looks = (['light', 'dark'] as const).map((scheme) => ({ width, height, scheme }));
      await expectGoodLooks(page, what, looks);
    };
    const open = async (view: string): Promise<void> => {
      await nav.getByRole('link', { name: view }).press('Enter');
      await expectFocus(heading(view));
    };

    await page.goto(link);
    await page.getByText(`You sign in as ${name}, reviewer.`).waitFor();
    await look('the invitation');
    await accept(page, link, PASSWORD);
    await page.getByRole('button', { name: 'Sign out' }).press('Enter');
    await expectFocus(page.getByLabel('Name'));
    await look('the form to sign in');
    await signIn(page, PASSWORD, name);

    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: '7 days' }).press('Enter');
    await page.getByRole('table').first().waitFor();
    await expectFocus(page.getByRole('button', { name: '7 days' }));
    await look('the overview');
    await page.reload();
    await page.getByRole('button', { name: '7 days', pressed: true }).waitFor();

    await open('Review');
    await page.getByLabel('Project').selectOption(project);
    await page.getByText('Appealed on').waitFor();
    await look('an appeal, blurred');
    await page.keyboard.press('t');
    await look('an appeal');
    expect(await card(page).getByRole('blockquote').textContent()).toBe(APPEAL);
    await page.keyboard.press('w');
    await expectFocus(page.getByRole('radio', { name: 'passed' }));
    await page.keyboard.press('2');
    await page.keyboard.press('n');
    await expectFocus(page.getByRole('textbox', { name: 'Note' }));
    await page.keyboard.type(`r, w and u are letters here, ${LONG_WORD}`);
    await look('a decision that is judged wrong');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await page.getByText('Appealed on').waitFor({ state: 'detached' });
    await expectFocus(card(page));
    await page.keyboard.press('u');
    await page.getByText('Appealed on').waitFor();
    expect(await textIn(page)).toBe(APPEALED);

    await page.getByText('How you review').click();
    await page.getByLabel('Remind me to rest').selectOption(`after ${BREAK_AFTER} decisions`);
    await page.getByLabel('Always show texts').check();
    await page.reload();
    await page.getByText('Appealed on').waitFor();
    expect(await textIn(page)).toBe(APPEALED);
    await page.keyboard.press('r');
    await page.getByText('Appealed on').waitFor({ state: 'detached' });
    const left = await textIn(page);
    await page.keyboard.press('s');
    const waits: number[] = [];
    for (const seen: (string | null)[] = []; !(await page.getByText('Time for a break').isVisible());) {
      const text = await textIn(page);
      expect([left, ...seen]).not.toContain(text);
      seen.push(text);
      if (!text?.includes('parcel')) await look('another decision');
      // As somebody who reads for a moment: the next one is there by then.
      const fetched = page.waitForResponse((response) => response.url().endsWith('/reviews/next'));
      waits.push(await page.evaluate<number>(JUDGE_RIGHT));
      await fetched;
      expect(waits.length).toBeLessThan(BREAK_AFTER);
    }
    expect(waits.length).toBe(BREAK_AFTER - 1);
    expect(waits.toSorted((one, other) => one - other)[waits.length / 2]).toBeLessThan(100);
    await look('the reminder to rest');
    await expectFocus(page.getByRole('button', { name: 'Go on' }));
    await page.keyboard.press('Enter');
    await expectFocus(card(page));

    await open('Decisions');
    await page.getByLabel('Project').selectOption(project);
    await page.getByRole('button', { name: 'Show texts' }).press('Enter');
    await look('all decisions');
    const latest = page.getByRole('region', { name: 'Found' }).getByRole('row').last().getByRole('link');
    await latest.press('Enter');
    await expectFocus(card(page));
    await page.goBack();
    await expectFocus(latest);
    await page.getByLabel('Reference').fill(`${LONG_WORD}/2`);
    await page.getByLabel('Reference').press('Enter');
    await page.getByRole('heading', { name: '1 decision' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: '1 decision' }).waitFor();
    await look('a decision that was found');
    await latest.press('Enter');
    await page.getByRole('button', { name: 'Show text' }).press('Enter');
    await look('a decision');
    await page.getByRole('link', { name: 'Open in playground' }).press('Enter');
    await expectFocus(heading('Playground'));
    await page.locator('.result[aria-busy=false] .verdict').waitFor();
    expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).toBe(DOUBTED[1]);
    await look('the playground');
    await page.goBack();
    await page.getByRole('link', { name: 'All decisions' }).press('Enter');
    await page.getByRole('heading', { name: '1 decision' }).waitFor();
    await expectFocus(latest);

    await open('Policies');
    await page.getByLabel('Project').selectOption(project);
    for (const tab of ['Rules', 'Terms', 'Keep', 'Preview', 'History']) {
      await page.getByRole('link', { name: tab, exact: true }).press('Enter');
      await look(`the policy: ${tab}`);
    }
    await page.reload();
    await page.locator('a[aria-current=page]').getByText('History').waitFor();
    expect(await page.getByRole('button', { name: 'Save policy' }).count()).toBe(0);

    await page.getByRole('link', { name }).press('Enter');
    await expectFocus(heading(name));
    await look('the own account');
    await page.getByRole('button', { name: 'Sign out' }).press('Enter');
    await expectFocus(page.getByLabel('Name'));
    await page.goBack();
    await page.getByRole('heading', { name: 'Sign in to Parapet' }).waitFor();
    expect([owner.complaints, page.complaints]).toEqual([[], []]);
  });
});
