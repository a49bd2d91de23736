/** Files that appear whole or not at all: written beside their place and renamed at the end. */
import { lstatSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { OperatorError } from 'parapet/engine';

export interface OutputFile {
  write(text: string): Promise<void>;
  /** Puts the file in its place, over an earlier one. */
  commit(): Promise<void>;
  /** Leaves no trace. Does nothing after `commit`. */
  discard(): Promise<void>;
}

/**
 * Opens one file for each flag that names one. Whoever opens them also discards them all in the end.
 *
 * @param reserved files that must stay as they are
 * @throws OperatorError when a file cannot be written, or is named twice; none is open then
 */
export async function openOutputs<Flag extends string>(
  paths: Readonly<Record<Flag, string | undefined>>,
  reserved: readonly string[],
): Promise<ReadonlyMap<Flag, OutputFile>> {
  const taken = new Set(reserved.map((path) => resolve(path)));
  const outputs = new Map<Flag, OutputFile>();
  try {
    for (const flag in paths) {
      const path = paths[flag];
      if (path === undefined) continue;
      if (taken.has(resolve(path))) throw new OperatorError(`--${flag} ${path}: another flag names this file too`);
      taken.add(resolve(path));
      outputs.set(flag, await openOutput(`--${flag}`, path));
    }
    return outputs;
  } catch (error) {
    for (const output of outputs.values()) await output.discard();
    throw error;
  }
}

const BUFFERED_CHARACTERS = 64 * 1024;

/** @throws OperatorError at once, not after hours of judging, when the file cannot be written */
async function openOutput(flag: string, path: string): Promise<OutputFile> {
  const target = resolve(path);
  const temporary = `${target}.${process.pid}.tmp`;
  // Renaming onto /dev/null, say, would replace the device.
  const existing = lstatSync(target, { throwIfNoEntry: false });
  if (existing !== undefined && !existing.isFile())
    throw new OperatorError(`${flag} ${path}: this is not a plain file`);
  const file = await open(temporary, 'wx').catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new OperatorError(`${flag} ${path} cannot be written: ${code}`, { cause: error });
  });
  let buffer = '';
  let pending = true;
  const flush = async (): Promise<void> => {
    const text = buffer;
    buffer = '';
    await file.writeFile(text);
  };
  return {
    async write(text) {
      buffer += text;
      if (buffer.length >= BUFFERED_CHARACTERS) await flush();
    },
    async commit() {
      await flush();
      await file.sync();
      await file.close();
      await rename(temporary, target);
      pending = false;
    },
    async discard() {
      if (!pending) return;
      pending = false;
      await file.close().catch(() => undefined);
      await rm(temporary, { force: true });
    },
  };
}
