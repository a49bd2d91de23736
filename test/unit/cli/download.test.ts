import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { download, type DownloadOptions } from '../../../src/cli/models/download.js';
import { startFileServer, type FileServer } from '../../support/operations/file-server.js';

const CONTENT = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));

async function setUp(): Promise<{ server: FileServer; file: string; options: DownloadOptions }> {
  const server = await startFileServer([['weights', CONTENT]]);
  const folder = mkdtempSync(join(tmpdir(), 'parapet-download-'));
  onTestFinished(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, 'weights');
  const options: DownloadOptions = {
    url: new URL('weights', server.address),
    file,
    maxBytes: CONTENT.length,
    tries: 2,
    pauseMs: 0,
    stallMs: 10_000,
    onProgress: () => undefined,
  };
  return { server, file, options };
}

describe('download', () => {
  it('writes the whole file under its name, tells how far it is, and leaves nothing else', async () => {
    const { file, options } = await setUp();
    const seen: [number, number | undefined][] = [];
    await download({ ...options, onProgress: (received, total) => seen.push([received, total]) });
    expect(readFileSync(file).equals(CONTENT)).toBe(true);
    expect(seen.at(-1)).toEqual([CONTENT.length, CONTENT.length]);
    expect([existsSync(`${file}.part`), existsSync(`${file}.part.tag`)]).toEqual([false, false]);
  });

  it('goes on in a later call, and has no file until it is whole', async () => {
    const { server, file, options } = await setUp();
    server.cutAfter.set('weights', 100_000);
    await expect(download({ ...options, tries: 1 })).rejects.toMatchObject({
      name: 'OperatorError',
      message: expect.stringContaining('run the command again') as unknown,
    });
    expect(existsSync(file)).toBe(false);
    await download(options);
    expect(server.requests[1]).toMatch(/^weights from /);
    expect(readFileSync(file).equals(CONTENT)).toBe(true);
  });

  it('begins again where the file has changed since', async () => {
    const { server, file, options } = await setUp();
    server.cutAfter.set('weights', 100_000);
    await expect(download({ ...options, tries: 1 })).rejects.toThrow();
    const changed = Buffer.from(CONTENT).fill(7, 0, 10);
    server.files.set('weights', changed);
    await download(options);
    expect(server.requests).toEqual(['weights', 'weights']);
    expect(readFileSync(file).equals(changed)).toBe(true);
  });

  it('refuses a file that is larger than it may be', async () => {
    const { file, options } = await setUp();
    await expect(download({ ...options, maxBytes: 1000 })).rejects.toThrow('larger than the 1000 bytes');
    expect(existsSync(file)).toBe(false);
  });

  it('says so where the server cannot be reached', async () => {
    const { server, options } = await setUp();
    await server.close();
    await expect(download({ ...options, tries: 2 })).rejects.toMatchObject({ name: 'OperatorError' });
  });
});
