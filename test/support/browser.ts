/** A real headless Chromium: the one of the system, since none is downloaded with the packages. */
import { accessSync, constants } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** CHROMIUM names another place. Undefined where there is none. */
export const chromiumPath = [process.env.CHROMIUM ?? '', ...PLACES].find((place) => {
  try {
    accessSync(place, constants.X_OK);
    return place !== '';
  } catch {
    return false;
  }
});

if (chromiumPath === undefined) {
  process.stderr.write(
    'SKIPPED: the browser tests of the dashboard. There is no Chromium (apt-get install chromium, or CHROMIUM=/path).\n',
  );
}

let launched: Promise<Browser> | undefined;

/** A context of its own, closed with the test. */
export async function newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  // Within containers Chromium's own sandbox has no rights; the pages here are ours.
  launched ??= chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
  const context = await (await launched).newContext(options);
  onTestFinished(() => context.close());
  return context;
}

export async function closeBrowser(): Promise<void> {
  await (await launched)?.close();
}

export interface WatchedPage extends Page {
  /** What the page complained of: scripts that failed, files that a policy blocked. */
  readonly complaints: string[];
}

export async function newPage(context: BrowserContext): Promise<WatchedPage> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // Refused requests are also printed there, and are part of some tests.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  return Object.assign(page, { complaints });
}
