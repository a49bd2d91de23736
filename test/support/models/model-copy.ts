/** Copies of the shipped model that a test may alter. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const MODEL_FOLDER = fileURLToPath(new URL('../../../models/parapet-en', import.meta.url));

/** A copy that goes away with the test. */
export function copyModel(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-model-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(MODEL_FOLDER, folder, { recursive: true });
  return folder;
}

/** Flips one bit in the middle: the file keeps its length. */
export function alterOneByte(file: string): void {
  const bytes = readFileSync(file);
  const middle = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
  writeFileSync(file, bytes);
}
