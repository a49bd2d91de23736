/** The short comments that a run is made of: from a file, or generated where there is none. Knows nothing of requests. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { formatOf, OperatorError, readRows } from 'parapet/engine';
import { generatedText } from './generated-text.js';

export interface TextPool {
  /** For the report. */
  readonly description: string;
  readonly texts: readonly string[];
}

export interface TextFile {
  readonly path: string;
  /** A number stands for the column of a file without a header, counted from 0. */
  readonly column: string;
}

const run = promisify(execFile);

/** Short enough to be one window of the model, nearly always. */
export const MOST_CHARACTERS = 500;

const GENERATED_TEXTS = 10_000;

/** Wikipedia comments beside the repository, where this project's machines have them. */
const SHARED_FILE = '../shared/data/eval/jigsaw_wiki_test.csv.xz';
const SHARED_COLUMN = '0';

/** @throws OperatorError when a file that was asked for cannot be read */
export async function loadTextPool(file: TextFile | undefined): Promise<TextPool> {
  if (file !== undefined) return poolOf(file.path, await readTexts(file.path, file.column));
  return (
    (await loadSharedTexts()) ??
    poolOf(
      'generated comments',
      Array.from({ length: GENERATED_TEXTS }, (_, index) => generatedText(index)),
    )
  );
}

/** @throws OperatorError when none is left */
export function poolOf(name: string, candidates: readonly string[]): TextPool {
  const texts = [...new Set(candidates)].filter((text) => text.trim() !== '' && text.length <= MOST_CHARACTERS);
  if (texts.length === 0) throw new OperatorError(`${name}: there is no text of at most ${MOST_CHARACTERS} characters`);
  return { description: `${name}: ${texts.length} different texts of at most ${MOST_CHARACTERS} characters`, texts };
}

async function readTexts(path: string, column: string): Promise<string[]> {
  const format = formatOf(path);
  if (format === undefined)
    throw new OperatorError(`${path}: the name must end in .csv, .tsv or .jsonl, or in one of these and .gz`);
  const source = {
    file: path,
    format,
    columns: { text: column, label: undefined },
    header: format === 'jsonl' || !/^\d+$/.test(column),
    quoted: format === 'csv',
    limit: Infinity,
  };
  const texts: string[] = [];
  for await (const { text } of readRows(source)) texts.push(text);
  return texts;
}

/** `undefined` where the file or the `xz` command is missing: Node cannot unpack the format. */
async function loadSharedTexts(): Promise<TextPool | undefined> {
  const packed = resolve(SHARED_FILE);
  if (!existsSync(packed)) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'parapet-texts-'));
  try {
    const plain = join(folder, basename(packed, '.xz'));
    if (!(await unpack(packed, plain))) return undefined;
    return poolOf(SHARED_FILE, await readTexts(plain, SHARED_COLUMN));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function unpack(packed: string, plain: string): Promise<boolean> {
  try {
    const { stdout } = await run('xz', ['--decompress', '--stdout', packed], {
      encoding: 'buffer',
      maxBuffer: 2 ** 28,
    });
    await writeFile(plain, stdout);
    return true;
  } catch {
    return false; // there is no such command
  }
}
