/** A folder of its own for each test that writes files, removed afterwards. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface ScratchFolder {
  path(name: string): string;
  /** Writes the file and gives its path. */
  file(name: string, content: string | Uint8Array): string;
}

export function createScratchFolder(): ScratchFolder {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-accuracy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return {
    path: (name) => join(folder, name),
    file(name, content) {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    },
  };
}
