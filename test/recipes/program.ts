/** A program of others beside the built service: what it is given, and what it prints. */
import { run } from '../support/client-package.js';

export const TOO_LONG = 'a'.repeat(10_001);
/** Nobody listens. */
export const STOPPED = 'http://127.0.0.1:1';

/** @returns the lines of standard output */
export async function output(
  command: string,
  argv: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const { PATH = '', HOME = '' } = process.env;
  return (await run(command, argv, { env: { PATH, HOME, ...variables } })).stdout.trimEnd().split('\n');
}
