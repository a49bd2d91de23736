import { defineConfig } from 'vitest/config';

/** The tests that a mutant may meet: fast ones, without the model and without processes. */
export default defineConfig({
  test: {
    include: ['test/unit/{moderation,keys,http}/**/*.test.ts', 'test/http/**/*.test.ts'],
    // The same promises on many random inputs: too slow to repeat for each mutant.
    exclude: ['test/http/any-input.test.ts'],
    testTimeout: 60_000,
  },
});
