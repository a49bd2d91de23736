/** The page at /docs in a real browser, under its own strict policy. */
import { afterAll, describe, expect, it } from 'vitest';
import { chromiumPath, closeBrowser, newContext, newPage } from '../support/browser.js';
import { createHttpService } from '../support/http-service.js';

afterAll(closeBrowser);

describe.skipIf(chromiumPath === undefined)('a caller who reads the API in a browser', () => {
  it.each(['/docs', '/docs/'])('finds at %s what callers use before what the dashboard uses', async (path) => {
    const { listen } = await createHttpService({ dashboard: {} });
    const page = await newPage(await newContext());
    await page.goto(`http://127.0.0.1:${await listen()}${path}`);
    await page.locator('.opblock-summary-path').first().waitFor();
    const paths = await page.locator('.opblock-summary-path').allInnerTexts();
    // Swagger UI lets long paths break by characters of no width.
    expect(paths.map((each) => each.replaceAll('\u200b', '')).slice(0, 7)).toEqual([
      '/v1/analyze',
      '/v1/analyze/batch',
      '/v1/moderations',
      '/v1alpha1/comments:analyze',
      '/v1alpha1/comments:suggestscore',
      '/v1/health',
      '/dashboard/api/session',
    ]);
    expect(page.complaints).toEqual([]);
  });

  it('can try it there', async () => {
    const { listen } = await createHttpService();
    const page = await newPage(await newContext());
    await page.goto(`http://127.0.0.1:${await listen()}/docs`);
    await page.getByText('/v1/health').click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.locator('.live-responses-table').getByText('"healthy"').waitFor();
    expect(page.complaints).toEqual([]);
  });
});
