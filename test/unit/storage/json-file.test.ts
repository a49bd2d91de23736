/** Promises of every file of the store: whole, private, locked, read again when it changed, never overwritten when it is not understood. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { OperatorError } from '../../../src/errors.js';
import { withFileLock } from '../../../src/storage/file-lock.js';
import { fileVersionOf } from '../../../src/storage/file-version.js';
import { JsonFile, type JsonFileOptions } from '../../../src/storage/json-file.js';
import { freshKeyFile } from './store-folder.js';

const contentsSchema = z.looseObject({ version: z.literal(2), names: z.array(z.string()) });
type Contents = z.output<typeof contentsSchema>;

function openFile(path = freshKeyFile(), options: Partial<JsonFileOptions<Contents>> = {}): JsonFile<Contents> {
  return new JsonFile<Contents>({
    path,
    name: 'list of names',
    version: 2,
    empty: { version: 2, names: [] },
    parse: (content) => contentsSchema.parse(content),
    remedy: 'Restore it.',
    ...options,
  });
}

const adding = (name: string) => (current: Contents) => ({
  next: { ...current, names: [...current.names, name] },
  result: name,
});

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

/** What it throws or rejects with. */
const failureOf = (attempt: () => unknown): Promise<unknown> =>
  Promise.resolve()
    .then(attempt)
    .then(
      () => undefined,
      (error: unknown) => error,
    );

describe('a file of the store', () => {
  it('is what is empty where there is no file, and reading makes none', () => {
    const file = openFile();
    expect(file.read()).toEqual({ version: 2, names: [] });
    expect(existsSync(file.path)).toBe(false);
  });

  it('is read again when it changed, whoever changed it, and is the same object until then', async () => {
    const file = openFile();
    const other = openFile(file.path);
    for (const name of ['a', 'b', 'c']) {
      expect(file.read()).toBe(file.read());
      await other.change(adding(name));
      expect(file.read().names.at(-1)).toBe(name);
    }
    rmSync(file.path);
    expect(file.read().names).toEqual([]);
  });

  it('is readable by its owner alone, as is a folder made for it', async () => {
    const file = openFile(join(dirname(freshKeyFile()), 'new', 'folder', 'names.json'));
    await file.change(adding('a'));
    expect(modeOf(file.path)).toBe(0o600);
    expect(modeOf(dirname(file.path))).toBe(0o700);
  });

  it('removes what killed writers left, but nothing that is young or of others', async () => {
    const file = openFile();
    const folder = dirname(file.path);
    const old = [
      `.keys.json.${'a'.repeat(16)}.tmp`,
      `.keys.json.${'a'.repeat(16)}.tmp.saved`,
      `.other.json.${'b'.repeat(16)}.tmp`,
      '.keys.json.notes.tmp',
    ];
    const young = `.keys.json.${'c'.repeat(16)}.tmp`;
    for (const name of [...old, young]) writeFileSync(join(folder, name), '');
    const longAgo = new Date(Date.now() - 3_600_000);
    for (const name of old) utimesSync(join(folder, name), longAgo, longAgo);
    await file.change(adding('a'));
    expect(new Set(readdirSync(folder))).toEqual(new Set([...old.slice(1), young, 'keys.json']));
  });

  it.each([
    ['half a file', '{"version":2,"names":["secretpa', 'damaged (it is not valid JSON)'],
    ['an empty file', '', 'damaged (it is not valid JSON)'],
    ['zeros', '\0\0\0', 'damaged (it is not valid JSON)'],
    ['another shape', '{"version":2,"names":["a",7]}', 'damaged (names.1: '],
    ['null', 'null', 'damaged'],
    ['no version', '{"names":["secretpa"]}', 'damaged (version: '],
    ['a second list', '{"version":2,"names":["secretpa"],"n\\u0061mes":[]}', 'two members of one name)'],
    [
      'a newer version',
      '{"version":3,"list":["secretpa"]}',
      'is of version 3, and this Parapet knows none after version 2',
    ],
  ])('refuses %s with its name and a way out, and leaves it as it is', async (_, text, expected) => {
    const file = openFile();
    writeFileSync(file.path, text);
    for (const attempt of [() => file.read(), () => file.change(adding('a'))]) {
      const error = await failureOf(attempt);
      expect(error).toBeInstanceOf(OperatorError);
      expect(String(error)).toContain(`list of names ${file.path}`);
      expect(String(error)).toContain(expected);
      expect(String(error)).not.toContain('secretpa');
      expect(String(error)).not.toContain('\n');
    }
    expect(readFileSync(file.path, 'utf8')).toBe(text);
    writeFileSync(file.path, '{"version":2,"names":["whole"]}');
    expect(file.read().names).toEqual(['whole']);
  });

  it('is moved aside where it is damaged and may be, and never where a newer release wrote it', async () => {
    const onSetAside = vi.fn();
    const file = openFile(undefined, { onSetAside });
    writeFileSync(file.path, '{');
    expect(() => file.read()).toThrow('damaged');
    await file.change(adding('a'));
    expect([file.read().names, readFileSync(`${file.path}.damaged`, 'utf8')]).toEqual([['a'], '{']);
    expect(onSetAside).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('was damaged'));
    writeFileSync(file.path, '{"version":3}');
    await expect(file.change(adding('a'))).rejects.toThrow('version 3');
    expect(readFileSync(file.path, 'utf8')).toBe('{"version":3}');
  });

  it('says which file cannot be read or written, and why, and keeps the cause', async () => {
    const file = openFile();
    // A link to itself: the system refuses to follow it, for root too.
    symlinkSync(file.path, file.path);
    for (const [doing, attempt] of [
      ['read', () => file.read()],
      ['write', () => file.change(adding('a'))],
    ] as const) {
      const error = await failureOf(attempt);
      expect(error).toBeInstanceOf(OperatorError);
      expect(String(error)).toContain(`Cannot ${doing} the list of names ${file.path} (ELOOP)`);
      expect(error).toMatchObject({ cause: { code: 'ELOOP' } });
    }
    const blocked = openFile(join(file.path, '..', 'a-file', 'names.json'));
    writeFileSync(join(dirname(file.path), 'a-file'), '');
    await expect(blocked.change(adding('a'))).rejects.toThrow(/Cannot write .*a-file\/names\.json \(E(NOTDIR|EXIST)\)/);
  });

  it('is read as soon as it can be, though nothing about the file tells that', async () => {
    const file = openFile();
    await file.change(adding('a'));
    const aside = `${file.path}.aside`;
    renameSync(file.path, aside);
    symlinkSync(file.path, file.path);
    expect(() => file.read()).toThrow('ELOOP');
    rmSync(file.path);
    renameSync(aside, file.path);
    expect(file.read().names).toEqual(['a']);
  });

  it.skipIf(process.platform === 'win32').each([
    ['a FIFO', (file: string) => spawnSync('mkfifo', [file])],
    ['a folder', (file: string) => mkdirSync(file)],
    ['a device', (file: string) => symlinkSync('/dev/zero', file)],
  ])('is never %s: reading and changing refuse it at once and name it', async (kind, make) => {
    const file = openFile();
    make(file.path);
    expect(() => file.read()).toThrow(`keys.json is ${kind} and not a regular file`);
    await expect(file.change(adding('a'))).rejects.toThrow(`is ${kind} and not a regular file`);
  });

  it('is as it was when a change throws, and the error is passed on as it is', async () => {
    const file = openFile();
    await file.change(adding('a'));
    const before = readFileSync(file.path, 'utf8');
    for (const thrown of [new OperatorError('refused'), new TypeError('a mistake')]) {
      const change = (): never => {
        throw thrown;
      };
      await expect(file.change(change)).rejects.toBe(thrown);
    }
    expect(readFileSync(file.path, 'utf8')).toBe(before);
  });

  it.skipIf(process.getuid?.() === 0)(
    'can be read where its folder is read-only, and says that it cannot be changed',
    async () => {
      const file = openFile();
      await file.change(adding('a'));
      chmodSync(dirname(file.path), 0o500);
      expect(openFile(file.path).read().names).toEqual(['a']);
      await expect(file.change(adding('b'))).rejects.toThrow('EACCES');
      chmodSync(dirname(file.path), 0o700);
    },
  );

  it.skipIf(process.platform === 'win32')('is on the disk when a change resolves, and so is its name', async () => {
    const file = openFile();
    const handle = await open(dirname(file.path));
    const sync = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'sync');
    onTestFinished(() => sync.mockRestore());
    await handle.close();
    await file.change(adding('a'));
    // The text, and the folder that the new name is in.
    expect(sync).toHaveBeenCalledTimes(2);
  });

  it('starts over when something changes it without the lock, and then keeps both changes', async () => {
    const file = openFile();
    await file.change(adding('a'));
    let calls = 0;
    await file.change((current) => {
      calls += 1;
      if (calls === 1) writeFileSync(file.path, JSON.stringify({ ...current, note: 'by hand' }));
      return adding('b')(current);
    });
    expect(calls).toBe(2);
    expect(file.read()).toEqual({ version: 2, names: ['a', 'b'], note: 'by hand' });
  });

  it('gives up on something that keeps changing it without the lock', async () => {
    const file = openFile();
    let calls = 0;
    const change = file.change((current) => {
      writeFileSync(file.path, JSON.stringify({ ...current, note: (calls += 1) }));
      return adding('a')(current);
    });
    await expect(change).rejects.toThrow('keeps changing under something that takes no lock');
    expect(calls).toBe(5);
  });

  it('stays behind a link, and all paths to it share one lock', async () => {
    const file = openFile();
    const link = openFile(join(dirname(file.path), 'link.json'));
    await file.change(adding('a'));
    symlinkSync(file.path, link.path);
    await Promise.all([link.change(adding('b')), file.change(adding('c'))]);
    expect(realpathSync(link.path)).toBe(realpathSync(file.path));
    expect(file.read().names.toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('follows a link that is turned to another file, as Kubernetes turns that of a secret', async () => {
    const file = openFile();
    for (const name of ['one', 'two']) {
      await openFile(`${file.path}.${name}`).change(adding(name));
      symlinkSync(`${file.path}.${name}`, `${file.path}.new`);
      renameSync(`${file.path}.new`, file.path);
      expect(file.read().names).toEqual([name]);
    }
  });

  it.skipIf(process.getuid?.() !== 0).each([
    { what: 'its owner', uid: 12_345, mode: 0o600, kept: 0o600 },
    { what: 'its group’s right to read it, and gives nobody else one', uid: 0, mode: 0o644, kept: 0o640 },
  ])('keeps $what when root changes it, so that the server can still read it', async ({ uid, mode, kept }) => {
    const file = openFile();
    await file.change(adding('a'));
    chownSync(file.path, uid, 12_346);
    chmodSync(file.path, mode);
    await file.change(adding('b'));
    expect(statSync(file.path)).toMatchObject({ uid, gid: 12_346 });
    expect(modeOf(file.path)).toBe(kept);
    const beside = openFile(`${file.path}.beside`, { ownedLike: () => fileVersionOf(file.path) });
    await beside.change(adding('c'));
    expect(statSync(beside.path)).toMatchObject({ uid, gid: 12_346 });
    expect(modeOf(beside.path)).toBe(kept);
  });
});

describe('file lock', () => {
  it('gives up with a message that says what to do when another holds it', async () => {
    const file = freshKeyFile();
    mkdirSync(`${file}.lock`);
    await expect(withFileLock(file, () => Promise.resolve(), 50)).rejects.toMatchObject({
      message: expect.stringMatching(
        new RegExp(`${basename(file)} is locked by another process for more than 0.05 s.*remove the folder`),
      ) as string,
      cause: { code: 'ELOCKED' },
    });
    rmdirSync(`${file}.lock`);
    expect(await withFileLock(file, () => Promise.resolve('done'), 50)).toBe('done');
  });
});
