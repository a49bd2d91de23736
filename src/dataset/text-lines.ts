/** A file as text and as numbered lines: unpacks .gz and decodes UTF-8, piece by piece. Knows nothing of rows. */
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { errorCodeOf, OperatorError } from '../errors.js';

/** Far beyond any row that can be judged; a file without line ends must not fill the memory. */
export const MAX_RECORD_CHARACTERS = 16 * 1024 * 1024;

export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** Lines end in LF or CRLF. Not node:readline, which also ends them at U+2028 and U+2029, and those may stand inside a text. @throws OperatorError for a line that is absurdly long */
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

/**
 * A byte order mark is dropped. Bytes that are not UTF-8 are an error: a replacement character in their place would change what is
 * judged, without anybody knowing.
 *
 * @throws OperatorError without the name of the file
 */
export async function* readText(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of openBytes(file)) {
      const text = decoder.decode(chunk, { stream: true });
      if (text !== '') yield text;
    }
    const rest = decoder.decode();
    if (rest !== '') yield rest;
  } catch (error) {
    const reason = REASONS[errorCodeOf(error) ?? ''];
    if (reason === undefined) throw error;
    throw new OperatorError(reason, { cause: error });
  }
}

function openBytes(file: string): AsyncIterable<Uint8Array> {
  const bytes = createReadStream(file);
  if (!file.toLowerCase().endsWith('.gz')) return bytes;
  // A failure of either reaches the reader of the last; the callback only keeps it from being thrown twice.
  return pipeline(bytes, createGunzip(), () => undefined);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a folder, not a file',
  EACCES: 'this user may not read it',
  Z_DATA_ERROR: 'it is not a gzip file, or damaged',
  Z_BUF_ERROR: 'the gzip file ends too early',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not valid UTF-8. Convert it first, as with: iconv -f latin1 -t utf-8',
};
