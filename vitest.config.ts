import { defineConfig } from 'vitest/config';

/** Promises about time or about what is left of the machine, and what writes beside the sources: one file after another. */
const ALONE = [
  'test/hardening/{event-loop,fairness,overload,pipelining}.test.ts',
  'test/e2e/{load,client-package}.test.ts',
  'test/unit/{keys/key-timing,text/normalise-time}.test.ts',
];

/** Each starts processes and waits for them as long as it computes: two at a time keep two cores busy. */
const processes = (name: string, testTimeout: number) => ({
  test: {
    name,
    sequence: { groupOrder: 1 },
    include: [`test/${name}/**/*.test.ts`],
    exclude: ALONE,
    maxWorkers: 2,
    testTimeout,
    hookTimeout: 60_000,
  },
});

export default defineConfig({
  test: {
    // Unless told otherwise, one core is left idle.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['test/unit/**/*.test.ts', 'clients/*/test/**/*.test.ts'], exclude: ALONE },
      },
      { extends: true, test: { name: 'http', isolate: false, include: ['test/http/**/*.test.ts'] } },
      processes('contract', 60_000),
      processes('hardening', 120_000),
      processes('e2e', 60_000),
      {
        test: {
          name: 'alone',
          sequence: { groupOrder: 2 },
          include: ALONE,
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
