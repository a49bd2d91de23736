/** Promises of the `store` command: a file that is whole and its owner's alone, and what it says of one that cannot be had. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { runStoreCli } from '../../../src/cli/store-command.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import { outcomeOf } from '../../support/command-outcome.js';
import { freshKeyFile, REQUEST } from '../storage/store-folder.js';

function command(keysFile: string) {
  return (argv: readonly string[], stdin = '') =>
    outcomeOf((streams) =>
      runStoreCli(argv, {
        openStore: () => Promise.resolve(openFileStore(keysFile)),
        stdin: Readable.from([Buffer.from(stdin)]),
        ...streams,
      }),
    );
}

async function filled() {
  const keysFile = freshKeyFile();
  const { keys } = openFileStore(keysFile);
  await keys.create(REQUEST);
  return { keysFile, run: command(keysFile), keys };
}

describe('store export and import', () => {
  it('move everything by a file that its owner alone may read', async () => {
    const { run, keysFile, keys } = await filled();
    const file = join(dirname(keysFile), 'export.jsonl');
    expect(await run(['export', file])).toEqual({
      status: 0,
      stdout: '',
      stderr: `Exported 1 projects, 1 keys, 0 policies and 0 rows of people, decisions and statistics of ${keysFile}.\n`,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const other = freshKeyFile();
    expect(await command(other)(['import', file])).toMatchObject({ status: 0 });
    expect(await openFileStore(other).keys.list()).toEqual(await keys.list());
  });

  it('move everything by standard output and input', async () => {
    const { run, keys } = await filled();
    const { stdout } = await run(['export']);
    const other = freshKeyFile();
    expect(await command(other)(['import', '-'], stdout)).toMatchObject({ status: 0 });
    expect(await openFileStore(other).keys.list()).toEqual(await keys.list());
  });

  it('overwrite no file, and leave none behind that is not whole', async () => {
    const { run, keysFile } = await filled();
    const file = join(dirname(keysFile), 'export.jsonl');
    writeFileSync(file, 'mine');
    expect(await run(['export', file])).toMatchObject({
      status: 2,
      stderr: `${file} is there already. Give another name.\n`,
    });
    expect(readFileSync(file, 'utf8')).toBe('mine');
    writeFileSync(keysFile, '{');
    const another = join(dirname(keysFile), 'another.jsonl');
    expect(await run(['export', another])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('damaged') as string,
    });
    expect(existsSync(another)).toBe(false);
  });

  it('say which file cannot be imported, and why', async () => {
    const { keysFile } = await filled();
    const run = command(freshKeyFile());
    expect((await run(['import', keysFile])).stderr).toBe(
      `${keysFile} cannot be imported: it is not what "npx parapet store export" writes. Nothing was changed.\n`,
    );
    const missing = `${keysFile}.none`;
    expect((await run(['import', missing])).stderr).toBe(
      `${missing} cannot be imported: there is no such file. Nothing was changed.\n`,
    );
  });
});
