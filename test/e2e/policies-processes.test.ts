/** Promises of policies between processes, with the built code: no edit is lost, no kill tears the file, and a change counts at once. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createKeyStore } from '../../src/keys/key-store.js';
import { createPolicyStore } from '../../src/policies/policy-store.js';
import { createProjectStore } from '../../src/keys/project-store.js';
import { builtUrl } from '../support/built.js';
import { createKey, post, startService, temporaryFolder } from '../support/service.js';

const CLI = fileURLToPath(builtUrl('cli/policies.js'));

async function policies(keysFile: string, ...argv: string[]) {
  const child = spawn(process.execPath, [CLI, ...argv], { env: { ...process.env, KEYS_FILE: keysFile } });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { status: child.exitCode, stdout, stderr };
}

async function freshProject() {
  const keysFile = join(temporaryFolder(), 'keys.json');
  await createKeyStore({ file: keysFile }).create({
    project: 'shop',
    name: 'n',
    environment: 'live',
    expiresInMs: null,
    rateLimitPerMinute: null,
  });
  const [shop] = createProjectStore({ file: keysFile }).list();
  return { keysFile, file: join(dirname(keysFile), 'policies.json'), id: shop?.id ?? '' };
}

function startWriter(keysFile: string, id: string): ChildProcess {
  const code = `
    import { createPolicyStore } from '${builtUrl('policies/policy-store.js').href}';
    const store = createPolicyStore({ keysFile: process.argv[1] });
    const add = (present) => ({ ...present, blockedTerms: [...(present.blockedTerms ?? []), 't' + Math.random()].slice(-500) });
    for (;;) process.send((await store.edit(process.argv[2], add, { by: 'command line' })).version);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code, keysFile, id], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

const shown = z.object({ version: z.int(), policy: z.object({ categories: z.record(z.string(), z.unknown()) }) });

describe('policies between processes', () => {
  it('lose no edit of commands that run at once', async () => {
    const { keysFile } = await freshProject();
    const categories = ['toxic', 'obscene', 'threat', 'insult', 'hate', 'sexual', 'self_harm', 'spam'];
    const edits = await Promise.all(
      categories.map((category) => policies(keysFile, 'set', 'shop', '--category', `${category}=ignore`)),
    );
    expect(edits.map(({ status, stderr }) => [status, stderr])).toEqual(categories.map(() => [0, '']));
    const { version, policy } = shown.parse(JSON.parse((await policies(keysFile, 'show', 'shop', '--json')).stdout));
    expect([version, Object.keys(policy.categories).sort()]).toEqual([8, categories.toSorted()]);
  });

  it('are whole, with every edit that was reported, at whatever moment the writer is killed', async () => {
    const { keysFile, file, id } = await freshProject();
    let reported = 0;
    for (let round = 0; round < 8; round += 1) {
      const writer = startWriter(keysFile, id);
      writer.on('message', (version) => (reported = Number(version)));
      await once(writer, 'message');
      const looks = Math.random() * 100;
      for (let look = 0; look < looks; look += 1) JSON.parse(readFileSync(file, 'utf8'));
      writer.kill('SIGKILL');
      await once(writer, 'close');
      expect(createPolicyStore({ keysFile }).get(id).version).toBeGreaterThanOrEqual(reported);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      rmSync(`${file}.lock`, { recursive: true, force: true });
    }
    expect(await policies(keysFile, 'set', 'shop', '--preset', 'games')).toMatchObject({ status: 0 });
    expect(readdirSync(dirname(file))).not.toContain('policies.json.lock');
  });
});

/**
 * A file system of a few pages in a namespace of its own, so that it needs no rights and goes away with its process: fills it and runs the
 * command.
 */
const ON_A_FULL_DISK = String.raw`
  mount -t tmpfs -o size=16k tmpfs "$1" && cp "$5" "$1/keys.json" && export KEYS_FILE="$1/keys.json"
  "$2" "$3" set shop --preset games >/dev/null 2>&1 || exit 3
  cp "$1/policies.json" "$4/before"
  head -c 1000000 /dev/zero > "$1/filler" 2>/dev/null
  "$2" "$3" set shop --preset news > "$4/stdout" 2> "$4/stderr"; echo $? > "$4/status"
  cp "$1/policies.json" "$4/after"; ls -A "$1" > "$4/files"
`;
const canMount = spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'true']).status === 0;

describe('on a full disk', () => {
  it.skipIf(!canMount)('no policy is changed, the file stays as it was, and the command says why', async () => {
    const { keysFile } = await freshProject();
    const [disk, results] = [temporaryFolder(), temporaryFolder()];
    const shell = ['--user', '--map-root-user', '--mount', 'sh', '-c', ON_A_FULL_DISK, 'sh'];
    const { status } = spawnSync('unshare', [...shell, disk, process.execPath, CLI, results, keysFile]);
    expect(status).toBe(0);
    const result = (name: string): string => readFileSync(join(results, name), 'utf8');
    expect([result('status').trim(), result('stdout')]).toEqual(['2', '']);
    expect(result('stderr')).toMatch(/^Cannot write the policy file .*ENOSPC/);
    expect(result('after')).toBe(result('before'));
    expect(result('files').trim().split('\n').sort()).toEqual(['filler', 'keys.json', 'policies.json']);
  });
});

describe('a running service', () => {
  it('judges by a changed policy from the first request after the command returned, and by none that it cannot read', async () => {
    const service = await startService({ CACHE_MAX_ENTRIES: '100' });
    const { key } = await createKey(service.keysFile, '--project', 'forum');
    const ask = async () => (await post({ ...service, key }, 'This shit is fucking great', '?details=true')).json();
    for (const [version, preset] of ['adults', 'children', 'adults', 'children'].entries()) {
      expect(await policies(service.keysFile, 'set', 'forum', '--preset', preset)).toMatchObject({ status: 0 });
      expect(await ask()).toMatchObject({
        passed: preset === 'adults',
        details: { policy: { name: preset, version: version + 1 } },
      });
    }
    writeFileSync(join(dirname(service.keysFile), 'policies.json'), '{"format": 2}');
    expect(await ask()).toMatchObject({ code: 'policies_unavailable' });
    const refused = await policies(service.keysFile, 'set', 'forum', '--preset', 'news');
    expect([refused.status, refused.stderr.split('\n').length]).toEqual([2, 2]);
  });
});
