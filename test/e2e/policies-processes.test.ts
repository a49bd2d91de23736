/** Promises of policies between processes, with the built code: no edit is lost, and a change counts at once. Kills and full disks are of keys-processes.test.ts and key-file-faults.test.ts: the files share one class. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { builtUrl } from '../support/built.js';
import { createKey, post, startService, temporaryFolder } from '../support/service.js';
import { openFileStore } from '../../src/storage/file-store.js';

const CLI = fileURLToPath(builtUrl('cli/policies.js'));

async function policies(keysFile: string, ...argv: string[]) {
  const child = spawn(process.execPath, [CLI, ...argv], { env: { ...process.env, KEYS_FILE: keysFile } });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { status: child.exitCode, stdout, stderr };
}

const shown = z.object({ version: z.int(), policy: z.object({ categories: z.record(z.string(), z.unknown()) }) });

describe('policies between processes', () => {
  it('lose no edit of commands that run at once', async () => {
    const keysFile = join(temporaryFolder(), 'keys.json');
    await openFileStore(keysFile).projects.create('shop');
    const categories = ['toxic', 'obscene', 'threat', 'insult', 'hate', 'sexual', 'self_harm', 'spam'];
    const edits = await Promise.all(
      categories.map((category) => policies(keysFile, 'set', 'shop', '--category', `${category}=ignore`)),
    );
    expect(edits.map(({ status, stderr }) => [status, stderr])).toEqual(categories.map(() => [0, '']));
    const { version, policy } = shown.parse(JSON.parse((await policies(keysFile, 'show', 'shop', '--json')).stdout));
    expect([version, Object.keys(policy.categories).sort()]).toEqual([8, categories.toSorted()]);
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
    writeFileSync(join(dirname(service.keysFile), 'policies.json'), '{"version": 2}');
    expect(await ask()).toMatchObject({ code: 'policies_unavailable' });
    const refused = await policies(service.keysFile, 'set', 'forum', '--preset', 'news');
    expect([refused.status, refused.stderr.split('\n').length]).toEqual([2, 2]);
  });
});
