/** The `store` command: everything that is kept into one file, and out of it into an empty store of either kind. */
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { readLines, readText } from '../dataset/text-lines.js';
import { errorCodeOf, OperatorError } from '../errors.js';
import type { StoredItem } from '../storage/transfer/stored-item.js';
import { itemsIn, linesOf } from '../storage/transfer/transfer-lines.js';
import { readArguments, runCommands, usingStore, type Output, type StoreOpening } from './command.js';

const HELP = `Usage: npx parapet store COMMAND

  export [FILE]   Write all that is kept, but who is signed in: projects, keys, policies with their history, the hash of the
                  dashboard's password, last uses, statistics. FILE must not be there yet; without it, standard output.
  import FILE     Take it into a store that is empty: files (PARAPET_HOME, KEYS_FILE) or a database (DATABASE_URL).

An export opens nothing by itself: of keys it has hashes. It does have terms of policies, and the secrets of callers that sign
their requests: keep it as you keep the store. FILE can be -, for standard output or input. An export that ends in .gz can be
imported. Exit status: 0, or 2 with the reason on standard error.
`;

export interface StoreCliDeps extends StoreOpening {
  readonly stdin: AsyncIterable<Buffer | string>;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: Output;
}

/** Resolves to the exit status: 0, or 2 after one line on stderr. Never rejects. */
export function runStoreCli(argv: readonly string[], deps: StoreCliDeps): Promise<number> {
  return runCommands(argv, deps, HELP, { export: exportTo, import: importFrom });
}

async function exportTo(args: readonly string[], deps: StoreCliDeps): Promise<void> {
  const [file = '-', ...others] = readArguments(args, {}).positionals;
  if (others.length > 0) throw new OperatorError('export takes one file. See --help.');
  const counts = new Map<string, number>();
  await usingStore(deps, async (store) => {
    const lines = linesOf(counted(store.exportAll(), counts));
    if (file === '-') await pipeline(lines, deps.stdout, { end: false });
    else await writeNew(file, lines);
    deps.stderr.write(`Exported ${told(counts)} of ${store.location}.\n`);
  });
}

/** The only one of its name, for its owner alone, and whole or not at all. */
export async function writeNew(file: string, lines: AsyncIterable<string>): Promise<void> {
  const output = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
  try {
    await pipeline(lines, output);
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === 'EEXIST') throw new OperatorError(`${file} is there already. Give another name.`, { cause: error });
    await rm(file, { force: true });
    if (code === undefined) throw error;
    throw new OperatorError(`Cannot write ${file} (${code}).`, { cause: error });
  }
}

async function importFrom(args: readonly string[], deps: StoreCliDeps): Promise<void> {
  const [file, ...others] = readArguments(args, {}).positionals;
  if (file === undefined || others.length > 0) throw new OperatorError('import needs one file. See --help.');
  const counts = new Map<string, number>();
  await usingStore(deps, async (store) => {
    await store.importAll(counted(itemsOf(file, deps), counts));
    deps.stderr.write(`Imported ${told(counts)} into ${store.location}.\n`);
  });
}

/** @throws OperatorError that names the file */
async function* itemsOf(file: string, { stdin }: StoreCliDeps): AsyncGenerator<StoredItem> {
  try {
    yield* itemsIn(readLines(file === '-' ? decoded(stdin) : readText(file)));
  } catch (error) {
    const code = errorCodeOf(error);
    if (!(error instanceof OperatorError) && code === undefined) throw error;
    const name = file === '-' ? 'The export' : file;
    const reason = error instanceof OperatorError ? error.message : `it cannot be read (${code})`;
    throw new OperatorError(`${name} cannot be imported: ${reason}. Nothing was changed.`, { cause: error });
  }
}

async function* decoded(stdin: StoreCliDeps['stdin']): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of stdin) yield typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
}

async function* counted(items: AsyncIterable<StoredItem>, counts: Map<string, number>): AsyncGenerator<StoredItem> {
  for await (const item of items) {
    counts.set(item.kind, (counts.get(item.kind) ?? 0) + 1);
    yield item;
  }
}

function told(counts: ReadonlyMap<string, number>): string {
  const of = (kind: StoredItem['kind'], name: string): string => `${counts.get(kind) ?? 0} ${name}`;
  const records = of('row', 'rows of people, decisions and statistics');
  return `${of('project', 'projects')}, ${of('key', 'keys')}, ${of('policy', 'policies')} and ${records}`;
}
