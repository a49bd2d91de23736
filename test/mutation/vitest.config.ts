import { defineConfig } from 'vitest/config';

/** The tests that a mutant may meet: fast ones, without the model and without processes. MUTATION_TESTS narrows them to one glob. */
export default defineConfig({
  test: {
    include: process.env.MUTATION_TESTS
      ? [process.env.MUTATION_TESTS]
      : ['test/unit/{moderation,keys,http}/**/*.test.ts', 'test/http/**/*.test.ts'],
    // The same promises on many random inputs, and promises of time: too slow to repeat for each mutant.
    exclude: ['test/**/*any-{input,text}.test.ts', 'test/unit/**/*-{time,timing}.test.ts'],
    testTimeout: 60_000,
    // One worker for all files: a mutant's tests take milliseconds, and a worker for each file takes most of a second.
    isolate: false,
  },
});
