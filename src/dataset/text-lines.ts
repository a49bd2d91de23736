/** Text as numbered lines. Not node:readline, which also ends lines at U+2028 and U+2029, and those may stand inside a text. */
import { OperatorError } from '../errors.js';

/** Far beyond any row that can be judged; a file without line ends must not fill the memory. */
export const MAX_RECORD_CHARACTERS = 16 * 1024 * 1024;

export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** Lines end in LF or CRLF. @throws OperatorError for a line that is absurdly long */
export async function* readLines(chunks: AsyncIterable<string>): AsyncGenerator<Line> {
  let number = 0;
  let rest = '';
  for await (const chunk of chunks) {
    const pieces = (rest + chunk).split('\n');
    rest = pieces.pop() ?? '';
    for (const piece of pieces) yield { number: (number += 1), text: withoutReturn(piece) };
    if (rest.length > MAX_RECORD_CHARACTERS) throw new OperatorError(`line ${number + 1} does not end`);
  }
  if (rest !== '') yield { number: number + 1, text: withoutReturn(rest) };
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
