/** Whether a Python has what the peers need. Installs nothing. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { z } from 'zod';

export interface PythonPackages {
  /** Names of what stands in the way of starting a peer. */
  readonly missing: readonly string[];
  /** What makes its figures other than with the pinned versions. */
  readonly different: readonly string[];
}

const LIST_VERSIONS = `
import importlib.metadata, json, sys
def version(name):
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None
print(json.dumps({name: version(name) for name in sys.argv[1:]}))
`;

/** @returns a sentence where there is no such Python */
export async function readPackages(python: string, requirementsFile: URL): Promise<PythonPackages | string> {
  const pinned = parseRequirements(await readFile(requirementsFile, 'utf8'));
  let output;
  try {
    output = await promisify(execFile)(python, ['-c', LIST_VERSIONS, ...pinned.keys()]);
  } catch (error) {
    return `${python} does not run (${error instanceof Error && 'code' in error ? String(error.code) : String(error)})`;
  }
  const installed = z.record(z.string(), z.string().nullable()).parse(JSON.parse(output.stdout));
  return comparePackages(pinned, installed);
}

/** Names and versions of the lines `name==version`. */
export function parseRequirements(text: string): ReadonlyMap<string, string> {
  return new Map(Array.from(text.matchAll(/^([\w-]+)==(\S+)$/gm), ([, name = '', version = '']) => [name, version]));
}

export function comparePackages(
  pinned: ReadonlyMap<string, string>,
  installed: Readonly<Record<string, string | null>>,
): PythonPackages {
  const missing: string[] = [];
  const different: string[] = [];
  for (const [name, wanted] of pinned) {
    const version = installed[name] ?? null;
    if (version === null) missing.push(name);
    // Builds of PyTorch for one kind of hardware are called 2.15.0+cpu.
    if (version !== null && version.split('+')[0] !== wanted) different.push(`${name} ${version} (pinned: ${wanted})`);
  }
  return { missing, different };
}
