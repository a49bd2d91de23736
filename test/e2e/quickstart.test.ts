import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { analyzeResponse } from '../../src/http/schemas.js';
import {
  eventually,
  killAfterTest,
  keysCommand,
  spawnService,
  temporaryFolder,
  type Service,
} from '../support/service.js';

/** All that quickstart printed beside the log, once its last line is there. */
async function printed(service: Service): Promise<string> {
  await service.ready;
  await eventually(
    () => new Promise<void>((resolve) => setImmediate(resolve)),
    () => service.lines.some((line) => line.includes('Ctrl-C')),
  );
  return service.lines.filter((line) => !line.startsWith('{')).join('\n');
}

async function keyNames(keysFile: string): Promise<string[]> {
  const listed = z
    .array(z.object({ name: z.string() }))
    .parse(JSON.parse(await keysCommand(keysFile, 'list', '--json')));
  return listed.map(({ name }) => name);
}

describe('quickstart', () => {
  it('prints a command that works when pasted, and makes no second key at the next start', async () => {
    const keysFile = join(temporaryFolder(), 'keys.json');
    const first = spawnService({ KEYS_FILE: keysFile }, 'quickstart.js');
    killAfterTest(first);
    const command = /^ {2}curl [^]*?\}'$/m.exec(await printed(first))?.[0] ?? '';
    expect(command).toMatch(/X-API-Key: sk_test_/);
    const { stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(analyzeResponse.parse(JSON.parse(stdout))).toMatchObject({ passed: false });
    expect(await first.stop('SIGINT')).toEqual({ code: 0, stderr: '' });
    expect(await keyNames(keysFile)).toHaveLength(1);

    const second = spawnService({ KEYS_FILE: keysFile }, 'quickstart.js');
    killAfterTest(second);
    const text = await printed(second);
    expect(text).toContain('There are keys already');
    expect(text).not.toMatch(/sk_(test|live)_/);
    expect(await keyNames(keysFile)).toHaveLength(1);
  });
});
