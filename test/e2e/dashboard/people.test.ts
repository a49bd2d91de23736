/** Promises of people, roles and the audit log in a real browser, on the built service: what an owner does, and what those see whom they invite. */
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verified } from '../../../src/people/audit-lines.js';
import { chromiumPath, newContext, newPage, type WatchedPage } from '../../support/browser.js';
import {
  createProject,
  expectGoodLooks,
  LOOKS,
  signIn,
  startDashboard,
  type DashboardService,
} from '../../support/dashboard/dashboard-page.js';
import { accept, invite } from '../../support/dashboard/invitations.js';
import { field } from '../../support/dashboard/policy-editor.js';

/** Made here, so that no scanner takes it for somebody's. */
const PASSWORD = ['a', 'password', 'of', 'their', 'own'].join(' ');
const OTHER_PASSWORD = ['another', PASSWORD].join(' ');
const ALL_LOOKS = [...LOOKS, { width: 768, scheme: 'light' }] as const;

let service: DashboardService;

beforeAll(async () => {
  if (chromiumPath !== undefined) service = await startDashboard();
});

afterAll(async () => {
  if (chromiumPath !== undefined) await service.stop();
});

async function accepted(link: string): Promise<WatchedPage> {
  const page = await newPage(await newContext({ bypassCSP: true }));
  await accept(page, link, PASSWORD);
  return page;
}

const viewsOf = (page: Page): Promise<string[]> =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link').allTextContents();

describe.skipIf(chromiumPath === undefined)('people in a browser', () => {
  it('come in by a link, which works once, and sign in with their name and password from then on', async () => {
    const owner = await service.signedInPage('/people');
    const link = await invite(owner, 'ann@example.com', 'viewer');
    await owner.getByRole('rowheader', { name: 'ann@example.com' }).waitFor();
    const ann = await newPage(await newContext({ bypassCSP: true }));
    await ann.goto(link);
    await ann.getByText('You sign in as ann@example.com, viewer.').waitFor();
    await expectGoodLooks(ann, 'the invitation', ALL_LOOKS);
    await ann.getByLabel('New password').fill(PASSWORD);
    await ann.keyboard.press('Enter');
    await ann.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(new URL(ann.url()).hash).toBe('');
    await ann.getByRole('button', { name: 'Sign out' }).click();
    await signIn(ann, PASSWORD, 'Ann@example.com');
    await ann.getByRole('link', { name: 'ann@example.com' }).waitFor();
    await ann.goto('about:blank');
    await ann.goto(link);
    await ann.getByRole('alert').getByText('was used or withdrawn, or has expired').waitFor();
    expect(owner.complaints).toEqual([]);
  });

  it('are offered what their role may do, and see at once that it has changed', async () => {
    const owner = await service.signedInPage('/keys');
    await createProject(owner, 'forum');
    await owner.getByRole('link', { name: 'People' }).click();
    const bob = await accepted(await invite(owner, 'bob', 'viewer'));
    const open = async (view: string): Promise<void> => {
      await bob.goto(`${service.address}/dashboard${view}`);
      await bob.getByRole('heading', { level: 1 }).waitFor();
    };
    const offered = await viewsOf(bob);
    expect(['Keys', 'Playground', 'People', 'Audit'].filter((view) => offered.includes(view))).toEqual(['Keys']);
    await open('/people');
    await bob.getByText('It is for the role owner and above.').waitFor();
    await open('/keys');
    await bob.getByRole('region', { name: 'forum' }).waitFor();
    expect(await bob.getByRole('main').getByRole('button').allTextContents()).toEqual([]);
    await open('/policies');
    await bob.getByRole('navigation', { name: 'Policy of forum' }).waitFor();
    const tabs = await bob.getByRole('navigation', { name: 'Policy of forum' }).getByRole('link').allTextContents();
    expect(['Rules', 'Preview', 'From labels'].filter((tab) => tabs.includes(tab))).toEqual(['Rules']);
    expect(await field(bob, 'Preset').isDisabled()).toBe(true);
    expect(await bob.getByRole('button', { name: 'Save policy' }).count()).toBe(0);
    await expectGoodLooks(bob, 'the policies of a viewer', ALL_LOOKS);

    await owner.reload();
    await owner.getByRole('button', { name: 'Change bob' }).click();
    await owner.getByLabel('Role').selectOption('editor');
    await owner.getByRole('button', { name: 'Change', exact: true }).click();
    await owner.getByRole('dialog').waitFor({ state: 'detached' });
    await open('/keys');
    await createProject(bob, 'made by bob');
    expect(await viewsOf(bob)).toContain('Playground');

    await owner.getByRole('button', { name: 'Change bob' }).click();
    await owner.getByLabel('May sign in').selectOption('disabled');
    await owner.getByRole('button', { name: 'Change', exact: true }).click();
    await owner.getByRole('dialog').waitFor({ state: 'detached' });
    await bob.getByRole('button', { name: 'New project' }).click();
    await bob.getByRole('textbox', { name: 'Name' }).fill('too late');
    await bob.getByRole('button', { name: 'Create project' }).click();
    await bob.getByRole('heading', { name: 'Sign in to Parapet' }).waitFor();
    expect(owner.complaints).toEqual([]);
  });

  it('change their own password and see where they are signed in, with the keyboard alone', async () => {
    const owner = await service.signedInPage('/people');
    const eve = await accepted(await invite(owner, 'eve', 'reviewer'));
    await eve.getByRole('link', { name: 'eve' }).press('Enter');
    await eve.getByRole('heading', { name: 'eve' }).waitFor();
    expect(await eve.getByRole('row').allTextContents()).toEqual([
      expect.stringMatching(/^Who/),
      expect.stringMatching(/^eve this onereviewerChrome on \w+127\.0\.0\.1/),
    ]);
    await expectGoodLooks(eve, 'the own account', ALL_LOOKS);
    await eve.getByLabel('Present password').fill(PASSWORD);
    await eve.getByLabel('New password').fill(OTHER_PASSWORD);
    await eve.keyboard.press('Enter');
    await eve.getByText('Your other sessions have ended.').and(eve.getByText('Changed')).waitFor();
    await eve.reload();
    await eve.getByRole('heading', { name: 'eve' }).waitFor();

    await owner.reload();
    await owner
      .getByRole('button', { name: /^End the session of eve/ })
      .first()
      .click();
    await eve.getByRole('link', { name: 'Keys' }).click();
    await eve.getByRole('heading', { name: 'Sign in to Parapet' }).waitFor();
    await signIn(eve, OTHER_PASSWORD, 'eve');
    await eve.getByRole('link', { name: 'eve' }).waitFor();
    expect([owner.complaints, eve.complaints]).toEqual([[], []]);
  });

  it('make tokens for scripts, shown once, and revoke them', async () => {
    const owner = await service.signedInPage('/people', { bypassCSP: true });
    await owner.getByRole('button', { name: 'New token' }).click();
    await owner.getByRole('textbox', { name: 'Name' }).fill('backup');
    await owner.getByRole('button', { name: 'Create token' }).click();
    const token = (await owner.locator('.secret code').textContent()) ?? '';
    await owner.getByRole('button', { name: 'Done' }).click();
    const status = async (): Promise<number> =>
      (await fetch(`${service.address}/dashboard/api/keys`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await status()).toBe(200);
    await expectGoodLooks(owner, 'people', ALL_LOOKS);
    expect(await owner.content()).not.toContain(token);
    await owner.getByRole('button', { name: 'Revoke backup' }).click();
    await owner.getByRole('button', { name: 'Revoke token' }).click();
    await owner.getByText(/^revoked/).waitFor();
    expect(await status()).toBe(401);
  });

  it('find in the audit log who did what, keep what they looked for in the address, and take all of it home', async () => {
    const owner = await service.signedInPage('/audit', { bypassCSP: true });
    await owner.getByLabel('What').selectOption('token');
    await owner.getByRole('cell', { name: 'token.revoke' }).waitFor();
    await expect.poll(() => owner.getByRole('cell', { name: /^project/ }).count()).toBe(0);
    await owner.reload();
    await owner.getByRole('cell', { name: 'token.revoke' }).waitFor();
    await expectGoodLooks(owner, 'the audit log', ALL_LOOKS);
    await owner.goto(`${service.address}/dashboard/audit`);
    await owner.getByLabel('Who').fill('bob');
    await owner.keyboard.press('Enter');
    await expect.poll(() => new URL(owner.url()).search).toBe('?actor=bob');
    await expect.poll(() => owner.getByRole('cell', { name: 'project.create' }).count()).toBe(1);
    const [download] = await Promise.all([
      owner.waitForEvent('download'),
      owner.getByRole('link', { name: 'Export all' }).click(),
    ]);
    const { count, last } = await verified(Readable.from([await readFile(await download.path(), 'utf8')]));
    expect(count).toBeGreaterThan(10);
    expect(last?.action).toBe('audit.export');
  });
});
