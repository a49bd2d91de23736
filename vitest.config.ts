import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Two cores serve the tests, the built server and its workers: where tests start processes files run one after another, and one
    // project after another.
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts', 'clients/*/test/**/*.test.ts'] } },
      { test: { name: 'http', include: ['test/http/**/*.test.ts'] } },
      {
        test: {
          name: 'contract',
          sequence: { groupOrder: 1 },
          include: ['test/contract/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'hardening',
          sequence: { groupOrder: 2 },
          include: ['test/hardening/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          sequence: { groupOrder: 3 },
          include: ['test/e2e/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
