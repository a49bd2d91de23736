/** The built product where the binary of onnxruntime-node does not load, as on musl: everything but that binary is there. */
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../client-package.js';

const HIDDEN = 'onnxruntime-node';

/** @param folder empty. @returns the folder of the built sources, whose modules find no binary */
export function buildWithoutBinary(folder: string): string {
  const modules = join(ROOT, 'node_modules');
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(modules)) {
    if (name !== HIDDEN) symlinkSync(join(modules, name), join(folder, 'node_modules', name));
  }
  cpSync(join(modules, HIDDEN), join(folder, 'node_modules', HIDDEN), {
    recursive: true,
    filter: (path) => basename(path) !== 'bin',
  });
  // Copies, since modules are looked for beside the file that a link leads to.
  cpSync(join(ROOT, 'dist/src'), join(folder, 'dist/src'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'models'), join(folder, 'models'));
  return join(folder, 'dist/src');
}
