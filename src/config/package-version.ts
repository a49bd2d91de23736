/** The version that this build was made from, read from the nearest package.json above this file. */
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

export function packageVersion(): string {
  let candidate = new URL('./package.json', import.meta.url);
  while (!existsSync(candidate)) {
    const parent = new URL('../package.json', candidate);
    if (parent.href === candidate.href) throw new Error('no package.json above the built files');
    candidate = parent;
  }
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(candidate, 'utf8'))).version;
}
