/** An environment of Python with packages of PyPI, made once and kept for the next run. */
import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './client-package.js';

/**
 * @param day what the packages need themselves is as it was then, as in 2026-11-28
 * @returns the path of its interpreter
 */
export async function pythonWith(packages: readonly string[], day: string): Promise<string> {
  const name = createHash('sha256')
    .update([day, ...packages].join())
    .digest('hex')
    .slice(0, 12);
  const folder = join(tmpdir(), `parapet-python-${name}`);
  const python = join(folder, 'bin', 'python');
  if (existsSync(join(folder, 'whole'))) return python;
  await run('python3', ['-m', 'venv', '--clear', folder]);
  // pip takes minutes where uv takes seconds.
  await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '1', 'uv==0.13.9']);
  await run(python, ['-m', 'uv', 'pip', 'install', '--quiet', '--exclude-newer', day, '--python', python, ...packages]);
  writeFileSync(join(folder, 'whole'), '');
  return python;
}

/** @returns undefined where what is wanted cannot be had: without a network, say. In CI it must be had */
export async function hadOrSkipped<Value>(wanted: Promise<Value>): Promise<Value | undefined> {
  return process.env.CI === undefined ? wanted.catch(() => undefined) : wanted;
}
