/** The package that this build belongs to: where it lies and which version it is, by the nearest package.json above this file. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

function packageFile(): URL {
  let candidate = new URL('./package.json', import.meta.url);
  while (!existsSync(candidate)) {
    const parent = new URL('../package.json', candidate);
    if (parent.href === candidate.href) throw new Error('no package.json above the built files');
    candidate = parent;
  }
  return candidate;
}

/** The path of a file or folder of the package, wherever it is installed. */
export function inPackage(path: string): string {
  return fileURLToPath(new URL(path, packageFile()));
}

export function packageVersion(): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(packageFile(), 'utf8'))).version;
}
