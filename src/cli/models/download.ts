/** Fetches one file over HTTP: goes on where an earlier try was cut off, and never leaves half a file under the whole one's name. */
import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, OperatorError } from '../../errors.js';

export interface DownloadOptions {
  readonly url: URL;
  /** Where the whole file goes. Until then its bytes are in a file beside it, `.part`. */
  readonly file: string;
  readonly maxBytes: number;
  readonly onProgress: (receivedBytes: number, totalBytes: number | undefined) => void;
  readonly tries: number;
  readonly pauseMs: number;
  /** How long nothing may arrive before a try counts as cut off. */
  readonly stallMs: number;
}

/** @throws OperatorError when the server refuses, the file is larger than it may be, or no try came to the end */
export async function download(options: DownloadOptions): Promise<void> {
  const { url, file, tries, pauseMs } = options;
  for (let left = tries; ; left -= 1) {
    try {
      await tryOnce(options);
      return;
    } catch (error) {
      if (error instanceof OperatorError) throw error;
      if (left <= 1) {
        throw new OperatorError(
          `Cannot fetch ${url.href}: ${messageOf(error)}. What has arrived is kept in ${file}.part: run the command again to go on.`,
          { cause: error },
        );
      }
      await sleep(pauseMs);
    }
  }
}

async function tryOnce({ url, file, maxBytes, onProgress, stallMs }: DownloadOptions): Promise<void> {
  const partial = `${file}.part`;
  const tagFile = `${partial}.tag`;
  // Without the tag of what was begun, the rest could be of another file (RFC 9110, 13.1.5).
  const tag = await readFile(tagFile, 'utf8').catch(() => '');
  const had =
    tag === ''
      ? 0
      : await stat(partial).then(
          ({ size }) => size,
          () => 0,
        );
  const stalled = new AbortController();
  const watch = setTimeout(() => stalled.abort(new Error(`nothing arrived for ${stallMs / 1000} s`)), stallMs);
  try {
    const response = await fetch(url, {
      // Byte counts and ranges are those of the file itself, not of a compressed form of it.
      headers: { 'Accept-Encoding': 'identity', ...(had > 0 && { Range: `bytes=${had}-`, 'If-Range': tag }) },
      signal: stalled.signal,
    });
    if (response.status === 416) {
      await rm(tagFile, { force: true });
      throw new Error('the server has no more of the file than was already here');
    }
    if (response.status >= 400 && response.status < 500) {
      throw new OperatorError(`Cannot fetch ${url.href}: the server answers ${response.status}.`);
    }
    const begin = response.status === 206 ? startOfRange(response) : 0;
    if ((response.status !== 200 && response.status !== 206) || (begin !== 0 && begin !== had)) {
      throw new Error(`the server answers ${response.status}, from byte ${begin}`);
    }
    if (response.headers.has('content-encoding')) throw new OperatorError(`${url.href} comes compressed only.`);
    const length = response.headers.get('content-length');
    const total = length === null ? undefined : begin + Number(length);
    if (begin === 0) {
      await writeFile(tagFile, response.headers.get('etag') ?? response.headers.get('last-modified') ?? '');
    }
    let received = begin;
    const out = await open(partial, begin === 0 ? 'w' : 'a');
    try {
      const body: AsyncIterable<Uint8Array> | undefined = response.body ?? undefined;
      for await (const chunk of body ?? []) {
        watch.refresh();
        received += chunk.byteLength;
        if (received > maxBytes) throw new OperatorError(`${url.href} is larger than the ${maxBytes} bytes expected.`);
        await out.write(chunk);
        onProgress(received, total);
      }
    } finally {
      await out.close();
    }
    if (total !== undefined && received !== total) throw new Error(`only ${received} of ${total} bytes arrived`);
  } catch (error) {
    if (stalled.signal.aborted) stalled.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(watch);
  }
  await rename(partial, file);
  await rm(tagFile, { force: true });
}

/** `Content-Range: bytes 100-199/200` begins at 100. */
function startOfRange(response: Response): number {
  return Number(/^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1] ?? NaN);
}
