/** Promises of reviewing in a real browser, on the built service and the real model: by keyboard, blurred until asked, and nothing judged twice. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { PolicyFields } from '../../../src/policies/policy-schema.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import { outcomesResponse } from '../../../src/http/routes/review-schemas.js';
import { chromiumPath, type WatchedPage } from '../../support/browser.js';
import { accountPage } from '../../support/dashboard/account-page.js';
import { expectGoodLooks, startDashboard, type DashboardService } from '../../support/dashboard/dashboard-page.js';

const THINGS = ['parcel', 'ticket', 'garden', 'train', 'recipe', 'window', 'library', 'bridge'];
const HOSTILE = 'You idiot <img src=x onerror="document.title=1"> of a garden';

let service: DashboardService;

beforeAll(async () => {
  if (chromiumPath === undefined) return;
  service = await startDashboard({
    DECISIONS_KEY: Buffer.alloc(32, 1).toString('base64'),
    WEBHOOK_NETWORKS: '127.0.0.0/8',
  });
});

afterAll(async () => {
  if (chromiumPath !== undefined) await service.stop();
});

/** A project whose insults pass and are reviewed, and that keeps texts; these are sent. */
async function projectWith(name: string, texts: readonly string[], review?: PolicyFields['review']) {
  const { policies, keys } = openFileStore(service.keysFile);
  const { key, record } = await keys.create({
    ...{ project: name, name: 'backend', environment: 'live', expiresInMs: null, rateLimitPerMinute: null },
  });
  const policy = {
    passMaxScore: 10,
    categories: { insult: { action: 'review', threshold: 0.2 } },
    keep: { what: 'texts', days: 30 },
    ...(review && { review }),
  };
  await policies.edit(record.projectId, () => policy, { by: 'command line' });
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  for (const content of texts) {
    const body = JSON.stringify({ content });
    const answer = await fetch(`${service.address}/v1/analyze`, { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({ passed: true });
  }
  const outcomes = async () => {
    const answer = await fetch(`${service.address}/v1/reviews`, { headers });
    return outcomesResponse.parse(await answer.json()).reviews;
  };
  return { id: record.projectId, view: `/review?project=${record.projectId}`, outcomes };
}

const pageOf = (name: string, view: string): Promise<WatchedPage> =>
  accountPage(service, { name, role: 'reviewer' }, view);

const insult = (thing: string): string => `You are an idiot, and so is your ${thing}`;
const card = (page: WatchedPage) => page.getByRole('region', { name: 'Decision' });
const textIn = (page: WatchedPage): Promise<string | null> => card(page).locator('.marked').textContent();

/** Until nothing is left. @returns what was judged */
async function judgeAll(page: WatchedPage): Promise<string[]> {
  const judged: string[] = [];
  const empty = page.getByRole('heading', { name: 'Nothing to review' });
  for (;;) {
    await card(page).or(empty).first().waitFor();
    if (await empty.isVisible()) return judged;
    const text = (await textIn(page)) ?? '';
    judged.push(text);
    await page.keyboard.press('r');
    await page.waitForFunction(`document.querySelector('.veiled .marked')?.textContent !== ${JSON.stringify(text)}`);
  }
}

describe.skipIf(chromiumPath === undefined)('a moderator, in a browser', () => {
  it('judges by keyboard what a policy marked, texts blurred until asked, and takes it back', async () => {
    const { view, outcomes } = await projectWith('hour', [HOSTILE, insult('bridge')]);
    const page = await service.signedInPage(view);
    await card(page).waitFor();
    const veil = card(page).locator('.veiled');
    expect(await veil.locator('.marked').getAttribute('aria-hidden')).toBe('true');
    await page.keyboard.press('t');
    await page.waitForFunction('document.querySelector(".veil") === null');
    const first = await textIn(page);
    await page.keyboard.press('r');
    await page.waitForFunction(`document.querySelector('.veiled .marked')?.textContent !== ${JSON.stringify(first)}`);
    // The next one is veiled again.
    await card(page).getByRole('button', { name: 'Show text' }).click();
    const second = await textIn(page);
    expect([first, second].toSorted()).toEqual([HOSTILE, insult('bridge')].toSorted());
    expect(await card(page).locator('img').count()).toBe(0);

    await page.keyboard.press('w');
    await page.getByRole('radio', { name: 'failed' }).waitFor();
    await page.keyboard.press('2');
    await page.getByRole('textbox', { name: 'Note' }).fill('r, w and u are letters here');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Nothing to review' }).waitFor();
    await expect.poll(async () => (await outcomes()).length).toBe(2);
    const told = await outcomes();
    expect(told.map(({ outcome, shouldPass }) => [outcome, shouldPass])).toEqual([
      ['right', true],
      ['wrong', false],
    ]);
    expect(told[1]?.categories).toContain('severe_toxic');

    await page.keyboard.press('u');
    await card(page).waitFor();
    expect(await textIn(page)).toBe(second);
    expect((await outcomes()).at(-1)).toMatchObject({ outcome: 'undone' });
    expect(page.complaints).toEqual([]);
  });

  it('has the next text within 100 ms of an answer, and is reminded to rest', async () => {
    const { view } = await projectWith('quick', THINGS.map(insult));
    const page = await service.signedInPage(view);
    await page.evaluate(`localStorage.setItem('parapet-review', '{"breakAfter":4,"showsTexts":true}')`);
    await page.reload();
    await card(page).waitFor();
    expect(await page.locator('.veil').count()).toBe(0);
    const waits: number[] = [];
    const nextIsThere = () => page.waitForResponse((response) => response.url().endsWith('/reviews/next'));
    for (let count = 0; count < 3; count += 1) {
      // As somebody who reads for a moment: the next one is there by then.
      const fetched = nextIsThere();
      waits.push(
        await page.evaluate<number>(`new Promise((resolve) => {
          const text = () => document.querySelector('.veiled .marked')?.textContent;
          const before = text();
          const begun = performance.now();
          const look = () => (text() === before || text() === undefined ? requestAnimationFrame(look) : resolve(performance.now() - begun));
          dispatchEvent(new KeyboardEvent('keydown', { key: 'r' }));
          look();
        })`),
      );
      await fetched;
    }
    expect(Math.min(...waits)).toBeLessThan(100);
    await page.keyboard.press('r');
    await page.getByRole('heading', { name: 'Time for a break' }).waitFor();
    await page.keyboard.press('r');
    await page.getByRole('button', { name: 'Go on' }).click();
    await card(page).waitFor();
    await page.getByText('4 judged since').waitFor();
  });

  it('shares the queue with another one: each decision is judged once', async () => {
    const { view, outcomes } = await projectWith('shared', THINGS.map(insult));
    const pages = await Promise.all(['ann', 'bob'].map((name) => pageOf(name, view)));
    const judged = await Promise.all(pages.map(judgeAll));
    expect(judged.flat().toSorted()).toEqual(THINGS.map(insult).toSorted());
    // The last answers may still be on their way.
    await expect.poll(async () => (await outcomes()).length).toBe(THINGS.length);
    const told = await outcomes();
    expect(new Set(told.map(({ decisionId }) => decisionId)).size).toBe(THINGS.length);
  });

  it('judges what another one has judged, and the view Labels says how far they agree', async () => {
    const texts = ['garden', 'train'].map(insult);
    const { id, view, outcomes } = await projectWith('twice', texts, { secondReviews: 1 });
    for (const name of ['cat', 'dan']) {
      const page = await pageOf(name, view);
      expect((await judgeAll(page)).toSorted()).toEqual(texts);
      await page.getByText('0 open, 2 judged').waitFor();
    }
    await expect.poll(async () => (await outcomes()).length).toBe(4);
    const page = await service.signedInPage(`/labels?project=${id}`, { bypassCSP: true });
    const row = page.getByRole('region', { name: 'Agreement' }).getByRole('row', { name: 'passes or fails' });
    await row.getByText('2 of 2').waitFor();
    await expectGoodLooks(page, 'agreement');
    await page.goto(`${service.address}/dashboard/policies?project=${id}`);
    expect(await page.getByLabel('Reviewed by two people').inputValue()).toBe('1');
    expect(page.complaints).toEqual([]);
  });

  it('finds it readable at every width, with and without something to judge', async () => {
    const { view } = await projectWith('looks', [insult('train')]);
    const page = await service.signedInPage(view, { bypassCSP: true });
    await card(page).waitFor();
    await expectGoodLooks(page, 'a blurred text');
    await page.keyboard.press('t');
    await page.getByText('How you review').click();
    await page.keyboard.press('w');
    await page.getByRole('button', { name: 'Save' }).waitFor();
    await expectGoodLooks(page, 'a text that is judged wrong');
    await page.getByRole('button', { name: 'Leave to others' }).click();
    await page.getByRole('heading', { name: 'Nothing to review' }).waitFor();
    await expectGoodLooks(page, 'an empty queue');
  });
});

/** @returns its address, and when it was sent something that is signed with the secret */
async function receiver() {
  let secret = '';
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const event = new Promise<unknown>((resolve) =>
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void text(request).then((body) => {
        response.end();
        const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
        resolve(new Webhook(secret).verify(body, Object.fromEntries(headers) as Record<string, string>));
      });
    }),
  );
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, event, sign: (own: string) => (secret = own) };
}

describe.skipIf(chromiumPath === undefined)('an editor, in a browser', () => {
  it('gives a project a webhook, sees its secret once, and tries it', async () => {
    const { url, event, sign } = await receiver();
    await projectWith('hooked', []);
    const page = await service.signedInPage('/keys', { bypassCSP: true });
    await page.getByRole('button', { name: 'Webhook of hooked' }).click();
    const dialog = page.getByRole('dialog', { name: 'Webhook of hooked' });
    await dialog.getByLabel('Address').fill(url);
    await dialog.getByRole('button', { name: 'Save' }).click();
    sign((await dialog.locator('.secret code').textContent()) ?? '');
    await dialog.getByRole('button', { name: 'Send a test' }).click();
    await dialog.getByRole('rowheader', { name: 'webhook.test' }).waitFor();
    expect(await event).toMatchObject({ type: 'webhook.test' });
    await expectGoodLooks(page, 'the webhook of a project');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Webhook of hooked' }).click();
    expect(await dialog.getByLabel('Address').inputValue()).toBe(url);
    expect(await page.getByText('whsec_').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('button', { name: 'Send a test' }).waitFor({ state: 'detached' });
    expect(page.complaints).toEqual([]);
  });
});
