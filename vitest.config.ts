import { defineConfig } from 'vitest/config';

/** Promises about time, which only a machine with nothing else to do can keep: `npm run test:quiet`, one file after another. */
const QUIET = [
  'test/hardening/{event-loop,fairness,overload}.test.ts',
  'test/e2e/load.test.ts',
  'test/{unit,e2e}/**/*-{time,timing}.test.ts',
];
/** What takes the machine's last connections, or writes beside the sources. */
const ALONE = ['test/hardening/pipelining.test.ts', 'test/e2e/package.test.ts'];
/** The browser's matter, whatever Node is there. */
const BROWSER = ['test/e2e/dashboard/*.test.ts', 'test/e2e/docs-page.test.ts'];

const oneByOne = (name: string, include: string[], groupOrder: number) => ({
  extends: true as const,
  test: {
    name,
    sequence: { groupOrder },
    include,
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});

/** Each starts processes and waits for them as long as it computes: two at a time keep two cores busy. */
const processes = (name: string, testTimeout: number, include = [`test/${name}/**/*.test.ts`], exclude = BROWSER) => ({
  extends: true as const,
  test: {
    name,
    sequence: { groupOrder: 1 },
    include,
    exclude: [...QUIET, ...ALONE, ...exclude],
    maxWorkers: 2,
    testTimeout,
    hookTimeout: 60_000,
  },
});

export default defineConfig({
  // What the benchmarks use of the product, without a build.
  resolve: { alias: { 'parapet/engine': new URL('./src/engine.ts', import.meta.url).pathname } },
  test: {
    // Unless told otherwise, one core is left idle.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // A worker for each file takes longer than most files.
          isolate: false,
          testTimeout: 30_000,
          include: ['test/unit/**/*.test.ts', 'clients/*/test/**/*.test.ts'],
          exclude: QUIET,
        },
      },
      {
        extends: true,
        test: { name: 'http', isolate: false, testTimeout: 30_000, include: ['test/http/**/*.test.ts'] },
      },
      processes('contract', 60_000),
      processes('hardening', 120_000),
      processes('e2e', 60_000),
      processes('browser', 60_000, BROWSER, []),
      oneByOne('alone', ALONE, 2),
      // Programs of others, installed by the tests: CI runs them, once.
      oneByOne('recipes', ['test/recipes/**/*.test.ts'], 3),
      oneByOne('quiet', QUIET, 4),
    ],
  },
});
