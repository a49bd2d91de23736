/** Bytes of a file as text: unpacks .gz and decodes UTF-8, piece by piece. Knows nothing of rows. */
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { OperatorError } from '../errors.js';

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
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = REASONS[code];
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
