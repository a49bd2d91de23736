/** How soon the page shows something. */
import { afterAll, describe, expect, it } from 'vitest';
import { chromiumPath, closeBrowser, newContext, newPage } from '../../support/browser.js';
import { createHttpService } from '../../support/http-service.js';

afterAll(closeBrowser);

describe.skipIf(chromiumPath === undefined)('the page', () => {
  it('shows something within 300 ms, to a browser that has never seen it', async () => {
    const { listen } = await createHttpService({ dashboard: {} });
    const address = `http://127.0.0.1:${await listen()}/dashboard`;
    const times: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const page = await newPage(await newContext());
      await page.goto(address);
      await page.getByLabel('Password').waitFor();
      times.push(
        await page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity"),
      );
    }
    expect(Math.min(...times)).toBeLessThan(300);
  });
});
