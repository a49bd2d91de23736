import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { analyzeResponse } from '../../../src/http/routes/schemas.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import { adminCommand } from '../../support/dashboard/admin-command.js';
import { killAfterTest, spawnService, temporaryFolder, type Service } from '../../support/service.js';

/** All that quickstart printed, once its last line is there. */
async function printed(service: Service): Promise<string> {
  await service.line(/^Stop with Ctrl-C/);
  return service.lines.join('\n');
}

describe('quickstart', () => {
  it('prints a command that works when pasted, and makes no second key at the next start', async () => {
    const keysFile = join(temporaryFolder(), 'keys.json');
    const first = spawnService({ KEYS_FILE: keysFile }, 'quickstart.js');
    killAfterTest(first);
    const text = await printed(first);
    // Its own text alone, which says how to turn the dashboard on.
    expect(text).toMatch(/^\nParapet is ready at http/);
    expect(text).not.toContain('{"level"');
    expect(text).toMatch(
      /^The dashboard is off until you set its password\. [^]*^ {2}npx parapet admin set-password$/m,
    );
    const command = /^ {2}curl [^]*?\}'$/m.exec(text)?.[0] ?? '';
    expect(command).toMatch(/X-API-Key: sk_test_/);
    const { stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(analyzeResponse.parse(JSON.parse(stdout))).toMatchObject({ passed: false });
    expect(await first.stop('SIGINT')).toEqual({ code: 0, stderr: '' });
    expect(await openFileStore(keysFile).keys.list()).toHaveLength(1);

    const second = spawnService({ KEYS_FILE: keysFile }, 'quickstart.js');
    killAfterTest(second);
    const textAgain = await printed(second);
    expect(textAgain).toContain('There are keys already');
    expect(textAgain).not.toMatch(/sk_(test|live)_/);
    expect(await openFileStore(keysFile).keys.list()).toHaveLength(1);
  });

  it('does not ask for a password once there is one, and logs to standard error what LOG_LEVEL asks for', async () => {
    const keysFile = join(temporaryFolder(), 'keys.json');
    await adminCommand(keysFile, 'a password that is long enough\n', 'set-password');
    const service = spawnService({ KEYS_FILE: keysFile, LOG_LEVEL: 'info' }, 'quickstart.js');
    killAfterTest(service);
    const text = await printed(service);
    expect(text).toMatch(/^ {2}http:\S+\/dashboard /m);
    expect(text).not.toContain('set-password');
    expect(text).not.toContain('{"level"');
    expect((await service.stop()).stderr).toContain('"msg":"ready"');
  });
});
