/** What a running service says and does while its key file is broken in all ways that a disk and an operator know. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openFileStore } from '../../src/storage/file-store.js';
import { builtUrl } from '../support/built.js';
import {
  createKey,
  health,
  keysCommand,
  outcomeOf,
  post,
  startService,
  temporaryFolder,
  type ReadyService,
} from '../support/service.js';
import { KIND } from '../support/texts.js';

/** Ways to make the key file one that cannot be understood (others: test/unit/storage). Each is undone by writing the whole file again. */
const DAMAGES: readonly (readonly [string, (file: string, whole: string) => void])[] = [
  ['is cut off in the middle', (file, whole) => writeFileSync(file, whole.slice(0, whole.length / 2))],
  [
    'is replaced by a folder',
    (file) => {
      rmSync(file);
      mkdirSync(file);
    },
  ],
];

const errorsIn = (lines: readonly string[]): string[] => lines.filter((line) => line.includes('"level":50'));

describe('while the key file', () => {
  let service: ReadyService;
  let revoked: string;
  let whole: string;
  const outcome = async (key: string): Promise<string> => outcomeOf(await post({ ...service, key }, KIND));
  const restore = (): void => {
    rmSync(service.keysFile, { recursive: true, force: true });
    writeFileSync(service.keysFile, whole);
  };

  const cleanUp: (() => unknown)[] = [];
  beforeAll(async () => {
    service = await startService({}, (clean) => cleanUp.unshift(clean));
    const { key, id } = await createKey(service.keysFile);
    await openFileStore(service.keysFile).keys.revoke(id);
    revoked = key;
    whole = readFileSync(service.keysFile, 'utf8');
  });
  // Each begins with a service that read the whole file last.
  beforeEach(async () => {
    restore();
    expect(await outcome(service.key)).toBe('200');
  });
  afterAll(async () => {
    for (const clean of cleanUp) await clean();
  });

  it.each(DAMAGES)(
    '%s, nobody is let in, health says so, the log says why, and it is left as it is',
    async (_what, damage) => {
      const linesBefore = service.lines.length;
      damage(service.keysFile, whole);
      expect(await outcome(service.key)).toBe('503 keys_unavailable');
      expect(await outcome(revoked)).toBe('503 keys_unavailable');
      expect(await health(service.address)).toEqual({ code: 503, status: 'unhealthy' });
      await expect(keysCommand(service.keysFile, 'create', '--project', 'p', '--name', 'n')).rejects.toThrow(
        'ended with 2',
      );
      // Lines are written up to 100 ms late.
      await expect.poll(() => errorsIn(service.lines.slice(linesBefore)).join()).toContain(service.keysFile);

      restore();
      expect(await outcome(service.key)).toBe('200');
      expect(await outcome(revoked)).toBe('401 unauthorized');
      expect(await health(service.address)).toEqual({ code: 200, status: 'healthy' });
    },
  );

  // Root may read everything.
  it.skipIf(process.getuid?.() === 0)('may not be read, nobody is let in until it may', async () => {
    chmodSync(service.keysFile, 0);
    expect(await outcome(service.key)).toBe('503 keys_unavailable');
    expect(await health(service.address)).toEqual({ code: 503, status: 'unhealthy' });
    chmodSync(service.keysFile, 0o600);
    expect(await outcome(service.key)).toBe('200');
  });

  it('is replaced by one with other keys, those count at once and the old ones no more', async () => {
    const other = join(temporaryFolder(), 'keys.json');
    const { key } = await createKey(other);
    renameSync(other, service.keysFile);
    expect(await outcome(service.key)).toBe('401 unauthorized');
    expect(await outcome(key)).toBe('200');
  });

  it('is gone, no key counts, which is no fault: a file without keys is the same', async () => {
    rmSync(service.keysFile);
    expect(await outcome(service.key)).toBe('401 unauthorized');
    expect(await health(service.address)).toEqual({ code: 200, status: 'healthy' });
  });
});

/**
 * A file system of a few pages in a namespace of its own, so that it needs no rights and goes away with its process: fills it, runs the
 * `keys` command, and prints what it said, what the key file is, and what else lies there.
 */
const ON_A_FULL_DISK = String.raw`
  mount -t tmpfs -o size=2m tmpfs "$1" && export KEYS_FILE="$1/keys.json"
  "$2" "$3" create --project p --name first >/dev/null 2>&1 || exit 3
  cp "$KEYS_FILE" "$4/before"
  head -c 4000000 /dev/zero > "$1/filler" 2>/dev/null
  "$2" "$3" create --project p --name second > "$4/stdout" 2> "$4/stderr"; echo $? > "$4/status"
  cp "$KEYS_FILE" "$4/after"; ls -A "$1" > "$4/files"
  rm "$1/filler"; "$2" "$3" create --project p --name third >/dev/null 2>&1; cp "$KEYS_FILE" "$4/later"
`;
const canMount = spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'true']).status === 0;

describe('on a full disk', () => {
  it.skipIf(!canMount)('no key is made, the file stays as it was, and the command says why', () => {
    const [disk, results] = [temporaryFolder(), temporaryFolder()];
    const command = fileURLToPath(builtUrl('cli/keys.js'));
    const shell = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', ON_A_FULL_DISK, 'sh'];
    const { status, stderr } = spawnSync('env', [...shell, disk, process.execPath, command, results], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const result = (name: string): string => readFileSync(join(results, name), 'utf8');
    expect(result('status').trim()).toBe('2');
    expect(result('stdout')).toBe('');
    expect(result('stderr')).toMatch(/^Cannot write the key file .*ENOSPC/);
    expect(result('after')).toBe(result('before'));
    const files = result('files').trim().split('\n');
    expect(files.filter((name) => !name.startsWith('parapet.db')).sort()).toEqual(['filler', 'keys.json']);
    const names = (JSON.parse(result('later')) as { keys: { name: string }[] }).keys.map(({ name }) => name);
    expect(names).toEqual(['first', 'third']);
  });
});
