/** How the command line of a benchmark behaves: help, flags, and one line for what its user can mend. Knows no benchmark. */
import process from 'node:process';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { OperatorError, ServiceError } from 'parapet/engine';

/** Sets the exit status: 0, or 2 after one line on standard error. A fault of ours keeps its stack trace. */
export async function runCommand(help: string, run: (argv: readonly string[]) => Promise<void>): Promise<void> {
  const argv = process.argv.slice(2);
  try {
    if (argv.includes('--help')) process.stdout.write(help);
    else await run(argv);
  } catch (error) {
    if (!(error instanceof OperatorError || error instanceof ServiceError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}

type Flags = NonNullable<ParseArgsConfig['options']>;

/** @throws OperatorError that names the flag that is wrong */
export function readFlags<Options extends Flags>(argv: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...argv], options, strict: true }).values;
  } catch (error) {
    // Node adds a paragraph of advice after the first sentence.
    const [sentence] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    throw wrongFlag(sentence ?? 'The arguments are wrong');
  }
}

export function wholeNumber(flag: string, value: string, least: number): number {
  if (!/^\d{1,9}$/.test(value) || Number(value) < least)
    throw wrongFlag(`--${flag} must be a whole number from ${least} on`);
  return Number(value);
}

export function wrongFlag(reason: string): OperatorError {
  return new OperatorError(`${reason}. See --help.`);
}
