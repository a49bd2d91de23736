/** Promises of every command of package.json that takes arguments: it explains itself, and a wrong flag gets one line. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')));

const commands = Object.entries(scripts).flatMap(([name, line]) => {
  const [, file] = /(?:^|&& )node (\S+)$/.exec(line) ?? [];

  return file === undefined || name === 'quickstart' ? [] : [{ name, file }];
});

function run(file: string, flag: string): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, flag], { cwd: ROOT, encoding: 'utf8' });
  return { status, stdout, stderr };
}

it('there are commands for keys, the dashboard, models, licences and benchmarks', () => {
  expect(commands.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['keys', 'admin', 'models:pull', 'licences', 'bench:accuracy', 'bench:load']),
  );
});

describe.each(commands)('$name', ({ name, file }) => {
  it('explains itself', () => {
    const { status, stdout, stderr } = run(file, '--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: npm run (--silent )?\S+/);
    expect(stdout.split('\n')[0]).toContain(` ${name}`);
  });

  it('says in one line what is wrong with a flag that it does not know', () => {
    const { status, stdout, stderr } = run(file, '--no-such-flag');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]*--help[^\n]*\n$/);
  });
});
