/** What programs of others need: packages of their registries in folders of their own, made once and kept for the next run. */
import { createHash } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './client-package.js';

/** @returns a folder that `fill` has filled, now or in an earlier run with the same contents */
async function kept(
  kind: string,
  contents: readonly string[],
  fill: (folder: string) => Promise<unknown>,
): Promise<string> {
  const name = createHash('sha256').update(contents.join()).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), `parapet-${kind}-${name}`);
  const whole = join(folder, 'whole');
  if (!existsSync(whole)) {
    rmSync(folder, { recursive: true, force: true });
    await fill(folder);
    writeFileSync(whole, '');
  }
  return folder;
}

/**
 * @param day what the packages of PyPI need themselves is as it was then, as in 2026-11-28
 * @returns the path of an interpreter
 */
export async function pythonWith(packages: readonly string[], day: string): Promise<string> {
  const pythonOf = (folder: string): string => join(folder, 'bin', 'python');
  const folder = await kept('python', [day, ...packages], async (empty) => {
    const python = pythonOf(empty);
    await run('python3', ['-m', 'venv', empty]);
    // pip takes minutes where uv takes seconds.
    await run(python, ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', '--retries', '1', 'uv==0.13.9']);
    await run(python, ['-m', 'uv', 'pip', 'install', '-q', '--exclude-newer', day, '--python', python, ...packages]);
  });
  return pythonOf(folder);
}

/** @returns the folder of the commands that the packages of npm bring, scripts of their installation and all */
export async function commandsOf(packages: readonly string[]): Promise<string> {
  const folder = await kept('npm', packages, (empty) =>
    run('npm', [
      'install',
      '--silent',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts=false',
      '--prefix',
      empty,
      ...packages,
    ]),
  );
  return join(folder, 'node_modules', '.bin');
}
