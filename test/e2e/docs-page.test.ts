/** The page at /docs in a real browser, under its own strict policy. */
import axe from 'axe-core';
import { afterAll, describe, expect, it } from 'vitest';
import { chromiumPath, closeBrowser, newContext, newPage } from '../support/browser.js';
import { createHttpService } from '../support/http-service.js';

afterAll(closeBrowser);

describe.skipIf(chromiumPath === undefined)('a caller who reads the API in a browser', () => {
  it('finds what callers use before what the dashboard uses, and can try it there', async () => {
    const { listen } = await createHttpService({ dashboard: {} });
    const page = await newPage(await newContext());
    await page.goto(`http://127.0.0.1:${await listen()}/docs`);
    await page.locator('.opblock-summary-path').first().waitFor();
    const paths = await page.locator('.opblock-summary-path').allInnerTexts();
    // Swagger UI lets long paths break by characters of no width.
    expect(paths.map((each) => each.replaceAll('\u200b', '')).slice(0, 20)).toEqual([
      '/v1/analyze',
      '/v1/analyze/batch',
      '/v1/moderations',
      '/v1alpha1/comments:analyze',
      '/v1alpha1/comments:suggestscore',
      '/beta/litellm_basic_guardrail_api',
      '/request',
      '/response',
      '/v1/guardrails/coral/{keyId}',
      '/v1/guardrails/dify',
      '/v1/guardrails/portkey',
      '/v1/decisions',
      '/v1/decisions',
      '/v1/decisions/{id}',
      '/v1/decisions/{id}/appeals',
      '/v1/reviews',
      '/v1/health',
      '/readyz',
      '/livez',
      '/dashboard/api/session',
    ]);
    await page.getByText('/v1/health').click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.locator('.live-responses-table').getByText('"healthy"').waitFor();
    expect(page.complaints).toEqual([]);
  });

  it('reads the front page and the API in light and in dark colours', async () => {
    const { listen } = await createHttpService();
    const address = `http://127.0.0.1:${await listen()}`;
    const page = await newPage(await newContext({ bypassCSP: true }));
    for (const [colorScheme, ground] of [
      ['light', 'rgb(245, 246, 250)'],
      ['dark', 'rgb(18, 20, 28)'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      for (const path of ['/', '/docs']) {
        await page.goto(address + path);
        await page.getByText('/v1/health').waitFor();
        await page.evaluate(axe.source);
        const faint = await page.evaluate(
          `axe.run({ runOnly: ['color-contrast'] }).then(({ violations }) => violations.flatMap(({ nodes }) => nodes.map(({ html }) => html)))`,
        );
        const seen = await page.evaluate('getComputedStyle(document.body).backgroundColor');
        expect([path, colorScheme, seen, faint]).toEqual([path, colorScheme, ground, []]);
      }
    }
    expect(page.complaints).toEqual([]);
  });
});
