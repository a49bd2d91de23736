/** The page at /docs in a real browser, under its own strict policy. */
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
});
