/** Worker threads that a test writes itself. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';

/** @returns the address of a module of this code, which goes away with whatever `afterwards` waits for */
export function workerFile(code: string, afterwards: (clean: () => void) => void = onTestFinished): URL {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-worker-'));
  afterwards(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'worker.mjs');
  writeFileSync(file, code);
  return pathToFileURL(file);
}
