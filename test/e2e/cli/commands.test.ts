/** Promises of every command that takes arguments, of `parapet` and of package.json: it explains itself, and a wrong flag gets one line. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { builtUrl } from '../../support/built.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PARAPET = fileURLToPath(builtUrl('cli/parapet.js'));
const { scripts, version } = z
  .object({ scripts: z.record(z.string(), z.string()), version: z.string() })
  .parse(JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')));

const ofPackage = Object.entries(scripts).flatMap(([name, line]) => {
  const [, file] = /(?:^|&& )node (\S+)$/.exec(line) ?? [];
  return file === undefined || name === 'quickstart'
    ? []
    : [{ name, words: [file], usage: new RegExp(`^Usage: npm run (--silent )?${name}`) }];
});
const ofParapet = ['keys', 'policies', 'decisions', 'admin', 'migrate', 'store', 'models', 'accuracy', 'doctor'].map(
  (name) => ({
    name,
    words: [PARAPET, name],
    usage: new RegExp(`^Usage: npx parapet ${name} `),
  }),
);

function run(...words: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' });
  return { status, stdout, stderr };
}

it('there are scripts for licences and benchmarks', () => {
  expect(ofPackage.map(({ name }) => name)).toEqual(expect.arrayContaining(['licences', 'bench:load']));
});

describe.each([...ofPackage, ...ofParapet])('$name', ({ words, usage }) => {
  it('explains itself', () => {
    const { status, stdout, stderr } = run(...words, '--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(usage);
  });

  it('says in one line what is wrong with a flag that it does not know', () => {
    const { status, stdout, stderr } = run(...words, '--no-such-flag');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]*--help[^\n]*\n$/);
  });
});

describe('parapet', () => {
  it.each([[[]], [['--help']], [['start', '--help']]])('lists its commands when run with %j', (words) => {
    const { status, stdout } = run(PARAPET, ...words);
    expect(status).toBe(0);
    for (const name of ['start', 'quickstart', ...ofParapet.map((each) => each.name)]) {
      expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    }
  });

  it('says its version', () => expect(run(PARAPET, '--version').stdout).toBe(`${version}\n`));

  it.each([[['sart']], [['start', '--port=80']], [['toString']]])('refuses %j in one line', (words) => {
    const { status, stdout, stderr } = run(PARAPET, ...words);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]*--help\.\n$/);
  });
});
