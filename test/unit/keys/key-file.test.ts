/** Promises of the key file: whole, private, locked, never overwritten when it is not understood. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { OperatorError } from '../../../src/errors.js';
import { replaceFile } from '../../../src/keys/atomic-write.js';
import { withFileLock } from '../../../src/keys/file-lock.js';
import { fileVersionOf, isSameVersion } from '../../../src/keys/file-version.js';
import { readKeyFile, updateKeyFile } from '../../../src/keys/key-file.js';
import { createKeyStore } from '../../../src/keys/key-store.js';
import { createKeyVerifier } from '../../../src/keys/key-verifier.js';
import { createProjectStore } from '../../../src/keys/project-store.js';
import { errorCodeOf } from '../../../src/keys/system-error.js';
import { freshKeyFile, REQUEST } from './key-file-folder.js';

/** The files that this process has open in a folder, and the folder itself. */
function openIn(folder: string): string[] {
  const targets = readdirSync('/proc/self/fd').map((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      return '';
    }
  });
  return targets.filter((target) => target.startsWith(folder));
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

describe('key file', () => {
  it('is an empty list where there is no file, and reading makes none', () => {
    const file = freshKeyFile();
    expect(readKeyFile(file)).toEqual({ version: 1, keys: [] });
    expect(existsSync(file)).toBe(false);
  });

  it('is readable by its owner alone, as is a folder made for it', async () => {
    const file = join(dirname(freshKeyFile()), 'new', 'folder', 'keys.json');
    await createKeyStore({ file }).create(REQUEST);
    expect(modeOf(file)).toBe(0o600);
    expect(modeOf(dirname(file))).toBe(0o700);
  });

  it('leaves neither temporary files nor a lock behind', async () => {
    const file = freshKeyFile();
    await createKeyStore({ file }).create(REQUEST);
    expect(readdirSync(dirname(file))).toEqual(['keys.json']);
  });

  it('removes what killed writers left, but nothing that is young or of others', async () => {
    const file = freshKeyFile();
    const folder = dirname(file);
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
    await createKeyStore({ file }).create(REQUEST);
    expect(new Set(readdirSync(folder))).toEqual(new Set([...old.slice(1), young, 'keys.json']));
  });

  it.each([
    ['half a file', '{"version":1,"keys":[{"id":"key_secretpa', 'damaged (it is not valid JSON)'],
    ['an empty file', '', 'damaged (it is not valid JSON)'],
    ['another shape', '{"version":1,"keys":{}}', 'damaged (keys: '],
    ['a record of an id alone', '{"version":1,"keys":[{"id":"key_secretpa"}]}', 'damaged (keys.0.project: '],
    ['null', 'null', 'damaged'],
    ['keys that are no objects', '{"version":1,"keys":[7]}', 'damaged (keys.0: '],
    ['two lists of keys', '{"version":1,"keys":[],"keys":[]}', 'damaged (keys: occurs twice)'],
    ['a list that goes on', '{"version":1,"keys":[{},]}', 'damaged (it is not valid JSON)'],
    ['keys without a comma', '{"version":1,"keys":[{} {}]}', 'damaged (it is not valid JSON)'],
    ['a later version', '{"version":2,"keys":[]}', 'version 1'],
  ])('refuses %s with its name and a way out, and leaves it as it is', async (_, text, expected) => {
    const file = freshKeyFile();
    writeFileSync(file, text);
    const store = createKeyStore({ file });
    for (const attempt of [
      () => store.create(REQUEST),
      () => store.revoke('key_a'),
      async () => Promise.resolve(store.list()),
    ]) {
      const error: unknown = await attempt().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(OperatorError);
      expect(String(error)).toContain(file);
      expect(String(error)).toContain(expected);
      expect(String(error)).not.toContain('secretpa');
      expect(String(error)).not.toContain('\n');
    }
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('refuses two records of one key, of which one could be revoked and the other not', async () => {
    const file = freshKeyFile();
    const { record } = await createKeyStore({ file }).create(REQUEST);
    const twice = [record, { ...record, id: 'key_other' }];
    writeFileSync(file, JSON.stringify({ version: 1, keys: twice }));
    expect(() => readKeyFile(file)).toThrow('a hash occurs twice');
  });

  it.each([
    ['keys', 'an id', [{ hash: 'b'.repeat(64) }, {}]],
    ['projects', 'an id', [{ name: 'other' }, {}]],
    ['projects', 'a name', [{ id: 'prj_other' }, {}]],
  ])('refuses two %s with %s in common', async (member, what, differences) => {
    const file = freshKeyFile();
    const { record } = await createKeyStore({ file }).create(REQUEST);
    const project = { id: 'prj_a', name: 'shop', createdAt: record.createdAt, archivedAt: null };
    const each = member === 'keys' ? record : project;
    const twice = differences.map((difference) => ({ ...each, ...difference }));
    writeFileSync(file, JSON.stringify({ version: 1, keys: [record], [member]: twice }));
    expect(() => readKeyFile(file)).toThrow(`${member}: ${what} occurs twice`);
  });

  it('says which file cannot be read or written, and why', async () => {
    const folder = dirname(freshKeyFile());
    const looped = join(folder, 'looped.json');
    symlinkSync(looped, looped);
    expect(() => readKeyFile(looped)).toThrow(`Cannot read the key file ${looped} (ELOOP)`);
    const blocked = join(folder, 'a-file', 'keys.json');
    writeFileSync(join(folder, 'a-file'), '');
    await expect(createKeyStore({ file: blocked }).create(REQUEST)).rejects.toThrow(
      /Cannot write the key file .*a-file\/keys\.json \(E(NOTDIR|EXIST)\)/,
    );
  });

  it('keeps the cause of what it says', async () => {
    const file = freshKeyFile();
    const attempt = (act: () => unknown): Promise<unknown> =>
      Promise.resolve()
        .then(act)
        .catch((error: unknown) => error);
    // A link to itself: the system refuses to follow it, for root too.
    symlinkSync(file, file);
    const unreadable = await attempt(() => readKeyFile(file));
    expect(unreadable).toBeInstanceOf(OperatorError);
    expect(unreadable).toMatchObject({ cause: { code: 'ELOOP' } });
    const unwritable = await attempt(() => createKeyStore({ file }).create(REQUEST));
    expect(unwritable).toBeInstanceOf(OperatorError);
    expect(unwritable).toMatchObject({
      message: expect.stringMatching(/^Cannot write the key file .* \(ELOOP\)/) as string,
      cause: { code: 'ELOOP' },
    });
  });

  it.skipIf(process.platform === 'win32').each([
    ['a FIFO', (file: string) => spawnSync('mkfifo', [file])],
    ['a folder', (file: string) => mkdirSync(file)],
    ['a device', (file: string) => symlinkSync('/dev/zero', file)],
  ])('is never %s: reading and changing refuse it at once and name it', async (kind, make) => {
    const file = freshKeyFile();
    make(file);
    const expected = new RegExp(`keys\\.json is ${kind} and not a regular file`);
    expect(() => readKeyFile(file)).toThrow(expected);
    const verifier = createKeyVerifier({ file });
    await expect(verifier.countActive()).rejects.toThrow(expected);
    // Changing follows links first, so it names what it found there.
    await expect(createKeyStore({ file }).create(REQUEST)).rejects.toThrow(`is ${kind} and not a regular file`);
  });

  it('is as it was when a change throws, and the error is passed on as it is', async () => {
    const file = freshKeyFile();
    await createKeyStore({ file }).create(REQUEST);
    const before = readFileSync(file, 'utf8');
    for (const thrown of [new OperatorError('refused'), new TypeError('a mistake')]) {
      const change = (): never => {
        throw thrown;
      };
      await expect(updateKeyFile(file, change)).rejects.toBe(thrown);
    }
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it.skipIf(process.platform !== 'linux')('is not held open by reading or changing it', async () => {
    const file = freshKeyFile();
    await createKeyStore({ file }).create(REQUEST);
    readKeyFile(file);
    expect(openIn(dirname(file))).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('is on the disk when a change resolves, and so is its name', async () => {
    const file = freshKeyFile();
    const handle = await open(dirname(file));
    const sync = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'sync');
    onTestFinished(() => sync.mockRestore());
    await handle.close();
    await createKeyStore({ file }).create(REQUEST);
    // The text, and the folder that the new name is in.
    expect(sync).toHaveBeenCalledTimes(2);
  });

  it('keeps members that it does not know, of the file and of its keys', async () => {
    const file = freshKeyFile();
    const store = createKeyStore({ file });
    const { record } = await store.create(REQUEST);
    writeFileSync(file, JSON.stringify({ version: 1, owner: 'ops', keys: [{ ...record, scopes: ['analyze'] }] }));
    await store.create({ ...REQUEST, name: 'second' });
    await store.revoke(record.id);
    const contents = readKeyFile(file);
    expect(contents).toMatchObject({
      owner: 'ops',
      keys: [{ id: record.id, scopes: ['analyze'] }, { name: 'second' }],
    });
  });

  it('is written as JSON.stringify writes it, so that people, tools and earlier versions go on reading it', async () => {
    const file = freshKeyFile();
    const store = createKeyStore({ file });
    await createProjectStore({ file }).create('an empty list: \n  "keys": []'.replace('\n', ' '));
    for (let keys = 0; keys < 3; keys += 1) {
      const text = readFileSync(file, 'utf8');
      expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
      expect(readKeyFile(file).keys).toHaveLength(keys);
      await store.create(REQUEST);
    }
  });

  it('is not touched by a change that changes nothing', async () => {
    const file = freshKeyFile();
    await createKeyStore({ file }).create(REQUEST);
    const before = fileVersionOf(file);
    await updateKeyFile(file, (current) => ({ next: current, result: undefined }));
    expect(isSameVersion(fileVersionOf(file), before)).toBe(true);
  });

  it('loses no change of many that come at once', async () => {
    const file = freshKeyFile();
    const store = createKeyStore({ file });
    const created = await Promise.all(
      Array.from({ length: 12 }, (_, index) => store.create({ ...REQUEST, name: `n${index}` })),
    );
    expect(new Set(store.list().map(({ id }) => id))).toEqual(new Set(created.map(({ record }) => record.id)));
  });

  it('starts over when something changes the file without the lock, and then keeps both changes', async () => {
    const file = freshKeyFile();
    const store = createKeyStore({ file });
    const { record } = await store.create(REQUEST);
    let calls = 0;
    await updateKeyFile(file, (current) => {
      calls += 1;
      if (calls === 1) writeFileSync(file, JSON.stringify({ ...current, note: 'by hand' }));
      return {
        next: { ...current, keys: current.keys.map((each) => ({ ...each, name: 'renamed' })) },
        result: undefined,
      };
    });
    expect(calls).toBe(2);
    expect(readKeyFile(file)).toMatchObject({ note: 'by hand', keys: [{ id: record.id, name: 'renamed' }] });
  });

  it('gives up after five changes of others, and says why', async () => {
    const file = freshKeyFile();
    await createKeyStore({ file }).create(REQUEST);
    let calls = 0;
    const changing = updateKeyFile(file, (current) => {
      calls += 1;
      writeFileSync(file, JSON.stringify({ ...current, change: calls }));
      return { next: { ...current, keys: [] }, result: undefined };
    });
    await expect(changing).rejects.toThrow(`The key file ${file} keeps changing`);
    expect(calls).toBe(5);
    expect(readKeyFile(file)).toMatchObject({ change: 5, keys: [{ name: 'backend' }] });
  });

  it('does not mind what another process removes meanwhile', async () => {
    const file = freshKeyFile();
    symlinkSync('gone', join(dirname(file), `.keys.json.${'a'.repeat(16)}.tmp`));
    await expect(createKeyStore({ file }).create(REQUEST)).resolves.toMatchObject({ record: { project: 'shop' } });
  });

  it('replaces nothing that is not the version it read', async () => {
    const file = freshKeyFile();
    writeFileSync(file, 'theirs');
    expect(await replaceFile(file, 'ours', undefined)).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe('theirs');
    expect(readdirSync(dirname(file))).toEqual(['keys.json']);
  });

  it('stays behind a link, and all paths to it share one lock', async () => {
    const file = freshKeyFile();
    const link = join(dirname(file), 'link.json');
    await createKeyStore({ file }).create(REQUEST);
    symlinkSync(file, link);
    await Promise.all([createKeyStore({ file: link }).create(REQUEST), createKeyStore({ file }).create(REQUEST)]);
    expect(realpathSync(link)).toBe(realpathSync(file));
    expect(readKeyFile(file).keys).toHaveLength(3);
  });

  it.skipIf(process.getuid?.() !== 0).each([
    { what: 'its owner', uid: 12_345, mode: 0o600, kept: 0o600 },
    { what: 'its group’s right to read it, and gives nobody else one', uid: 0, mode: 0o644, kept: 0o640 },
  ])('keeps $what when root changes it, so that the server can still read it', async ({ uid, mode, kept }) => {
    const file = freshKeyFile();
    const store = createKeyStore({ file });
    await store.create(REQUEST);
    chownSync(file, uid, 12_346);
    chmodSync(file, mode);
    await store.create(REQUEST);
    expect(statSync(file)).toMatchObject({ uid, gid: 12_346 });
    expect(modeOf(file)).toBe(kept);
  });
});

describe('file version', () => {
  it('differs as soon as anything differs that the file system tells', () => {
    const file = freshKeyFile();
    writeFileSync(file, 'text');
    const version = fileVersionOf(file);
    if (version === undefined) throw new Error('the file is there');
    expect(isSameVersion(version, fileVersionOf(file))).toBe(true);
    for (const member of ['dev', 'ino', 'mtimeNs', 'ctimeNs', 'size'] as const) {
      const { dev, ino, mtimeNs, ctimeNs, size, uid, gid, mode } = version;
      const other = { dev, ino, mtimeNs, ctimeNs, size, uid, gid, mode, [member]: version[member] + 1n };
      expect(isSameVersion(version, other)).toBe(false);
      expect(isSameVersion(other, version)).toBe(false);
    }
  });

  it('of a file that is missing is like no other', () => {
    const file = freshKeyFile();
    expect(fileVersionOf(file)).toBeUndefined();
    expect(isSameVersion(undefined, undefined)).toBe(true);
    writeFileSync(file, 'text');
    expect(isSameVersion(undefined, fileVersionOf(file))).toBe(false);
    expect(isSameVersion(fileVersionOf(file), undefined)).toBe(false);
  });
});

describe('the code of a system error', () => {
  it.each([
    [Object.assign(new Error('no'), { code: 'ENOENT' }), 'ENOENT'],
    [Object.assign(new Error('no'), { code: 2 }), undefined],
    [new Error('no'), undefined],
    [{ code: 'ENOENT' }, undefined],
    [null, undefined],
    ['ENOENT', undefined],
  ])('of %o is %s', (error, code) => {
    expect(errorCodeOf(error)).toBe(code);
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

  it('takes over what a killed process left long ago', async () => {
    const file = freshKeyFile();
    mkdirSync(`${file}.lock`);
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(`${file}.lock`, longAgo, longAgo);
    expect(await withFileLock(file, () => Promise.resolve('done'), 0)).toBe('done');
  });

  it('says at once when it cannot be had at all', async () => {
    const file = freshKeyFile();
    writeFileSync(file, '');
    const work = vi.fn(() => Promise.resolve());
    await expect(withFileLock(join(file, 'keys.json'), work)).rejects.toMatchObject({ code: 'ENOTDIR' });
    expect(work).not.toHaveBeenCalled();
  });

  it('that vanishes while it is taken is for another process to have', async () => {
    const file = join(dirname(freshKeyFile()), 'no-folder', 'keys.json');
    await expect(withFileLock(file, () => Promise.resolve(), 0)).rejects.toMatchObject({
      message: expect.stringContaining('is locked by another process') as string,
      cause: { code: 'ENOENT' },
    });
  });

  it('is free again when the work fails', async () => {
    const file = freshKeyFile();
    await expect(withFileLock(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(existsSync(`${file}.lock`)).toBe(false);
  });
});
