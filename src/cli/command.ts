/** What every command has in common: its commands, its arguments, read strictly, its help, its tables, and how it ends. Knows none. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { messageOf, OperatorError } from '../errors.js';
import { createAuditLog, type AuditEvent } from '../people/audit-log.js';
import { COMMAND_LINE } from '../people/roles.js';
import type { Store } from '../storage/store.js';

export interface Output {
  write(text: string): unknown;
}

/** Resolves to the exit status: 0, or 2 after one line on stderr. Never rejects. */
export async function exitStatusOf(run: () => Promise<void>, stderr: Output): Promise<number> {
  try {
    await run();
    return 0;
  } catch (error) {
    stderr.write(`${messageOf(error).replaceAll(/\s+/g, ' ').trim()}\n`);
    return 2;
  }
}

interface Streams {
  readonly stdout: Output;
  readonly stderr: Output;
}

/**
 * Does what the first argument names, with the others. Resolves to the exit status as `exitStatusOf` does.
 *
 * @param commands by name, in the order in which they are told
 */
export function runCommands<Deps extends Streams>(
  argv: readonly string[],
  deps: Deps,
  help: string,
  commands: Readonly<Record<string, (args: readonly string[], deps: Deps) => void | Promise<void>>>,
): Promise<number> {
  return exitStatusOf(async () => {
    const [name = '', ...args] = argv;
    if (asksForHelp(argv)) deps.stdout.write(help);
    else if (Object.hasOwn(commands, name)) await commands[name]?.(args, deps);
    else {
      const names = Object.keys(commands);
      throw new OperatorError(
        `The command must be ${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}. See --help.`,
      );
    }
  }, deps.stderr);
}

export interface StoreOpening {
  /** Called only where it is needed: help needs no store. @throws OperatorError where it cannot be opened */
  readonly openStore: () => Promise<Store>;
}

/** Opens the store for as long as the work takes. */
export async function usingStore<Result>(
  { openStore }: StoreOpening,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore();
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Writes what a command has done to the audit log. Where that cannot be written it is done all the same, and stderr says so. */
export async function note(
  { sql }: Pick<Store, 'sql'>,
  stderr: Output,
  event: Omit<AuditEvent, 'actor'>,
): Promise<void> {
  await createAuditLog(sql)
    .append({ ...event, actor: COMMAND_LINE })
    .catch((error: unknown) => stderr.write(`Done, but the audit log lacks it: ${messageOf(error)}\n`));
}

export function asksForHelp([command, ...rest]: readonly string[]): boolean {
  return rest.includes('--help') || command === '--help' || command === '-h' || command === 'help';
}

/** @throws OperatorError of one sentence */
export function readArguments<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
): ReturnType<typeof parseArgs<{ options: Options; allowPositionals: true; strict: true }>> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    // Node adds a paragraph of advice after the first sentence.
    const [sentence] = messageOf(error).split(/\. |\n/);
    throw new OperatorError(`${sentence ?? 'The arguments are wrong'}. See --help.`, { cause: error });
  }
}

/** @throws OperatorError that names the flag */
export function wholeNumber(flag: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new OperatorError(`${flag} must be a whole number.`);
  return Number(text);
}

const MS_PER_UNIT: ReadonlyMap<string, number> = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** As operators write them: `30s`, `15m`, `24h`, `90d`. @throws OperatorError that names the flag */
export function parseDurationMs(flag: string, text: string): number {
  const [, amount, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const msPerUnit = MS_PER_UNIT.get(unit ?? '');
  if (amount === undefined || msPerUnit === undefined) {
    throw new OperatorError(`${flag} must be a number with a unit: 30s, 15m, 24h or 90d.`);
  }
  return Number(amount) * msPerUnit;
}

/** Rows of cells as lines of text. */
export function tableLines(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** `2031-05-04 10:30Z`: seconds only make a table wide. */
export function minuteOf(time: string): string {
  const [date = time, clock] = time.split('T');
  return clock === undefined ? date : `${date} ${clock.slice(0, 5)}Z`;
}
