/** The package of the TypeScript client, made as its README says. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export const run = promisify(execFile);

/** @returns the path of the packed file */
export async function packClient(folder: string): Promise<string> {
  const argv = ['run', '--silent', 'pack:client', '--', '--pack-destination', folder];
  const { stdout } = await run('npm', argv, { cwd: ROOT });
  return `${folder}/${stdout.trim()}`;
}
