/** The API description against Redocly's recommended rules, as `redocly lint` would judge it. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, it } from 'vitest';
import { createHttpService } from '../support/http-service.js';

/** Which of the recommended rules do not apply, and why. */
const EXCEPTIONS = {
  // A self-hosted service does not know where its readers reach it.
  'no-empty-servers': 'off',
  // Probes need no key, and nothing of a request for one can be wrong.
  'security-defined': {
    severity: 'error',
    exceptions: ['/v1/health', '/readyz', '/livez'].map((path) => ({ path, methods: ['get'] })),
  },
  'operation-4xx-response': 'off',
} as const;

it('GET /openapi.json passes the recommended rules of Redocly', async () => {
  const { app } = await createHttpService();
  const problems = await lintFromString({
    source: (await app.inject('/openapi.json')).body,
    absoluteRef: 'openapi.json',
    config: await createConfig({ extends: ['recommended'], rules: EXCEPTIONS }),
  });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
});
