/** Reads the arguments of a command strictly, with complaints of one sentence. Knows no command. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { OperatorError } from '../errors.js';

export function readArguments<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
): ReturnType<typeof parseArgs<{ options: Options; allowPositionals: true; strict: true }>> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    // Node adds a paragraph of advice after the first sentence.
    const [sentence] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    throw new OperatorError(`${sentence ?? 'The arguments are wrong'}. See --help.`, { cause: error });
  }
}
