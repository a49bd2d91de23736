/** The `audit` command: who did what, as a table or as lines that can be checked, and whether such lines are whole. */
import { pipeline } from 'node:stream/promises';
import { readText } from '../../dataset/text-lines.js';
import { OperatorError } from '../../errors.js';
import { linesOf, verified } from '../../people/audit-lines.js';
import { createAuditLog } from '../../people/audit-log.js';
import {
  minuteOf,
  note,
  readArguments,
  runCommands,
  tableLines,
  usingStore,
  wholeNumber,
  type Output,
  type StoreOpening,
} from '../command.js';

const HELP = `Usage: npx parapet audit COMMAND

  list                   The latest entries of the audit log, newest first.
      [--limit 50] [--actor PART] [--action key.create|key] [--json]
  export                 All of it to standard output, oldest first: JSON Lines that anybody can check.
  verify FILE            Whether an export is whole: no entry changed, none taken out of the middle. Needs no store.

Each entry holds the hash of the one before it. Keep what verify says of the last one: a later export with another hash at
that number is not the same log. Exit status: 0, or 2 with the reason on standard error.
`;

export interface AuditCliDeps extends StoreOpening {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: Output;
}

/** Resolves to the exit status: 0, or 2 after one line on stderr. Never rejects. */
export function runAuditCli(argv: readonly string[], deps: AuditCliDeps): Promise<number> {
  return runCommands(argv, deps, HELP, { list, export: exportAll, verify });
}

async function list(args: readonly string[], deps: AuditCliDeps): Promise<void> {
  const { values, positionals } = readArguments(args, {
    limit: { type: 'string', default: '50' },
    actor: { type: 'string' },
    action: { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  if (positionals.length > 0) throw new OperatorError('list takes flags only. See --help.');
  const { actor, action } = values;
  const limit = wholeNumber('--limit', values.limit);
  const entries = await usingStore(deps, ({ sql }) => createAuditLog(sql).list({ limit, actor, action }));
  deps.stdout.write(
    values.json
      ? `${JSON.stringify(entries)}\n`
      : tableLines([
          ['NUMBER', 'TIME', 'ACTOR', 'ACTION', 'SUBJECT', 'DETAILS'],
          ...entries.map((entry) => [
            String(entry.sequence),
            minuteOf(new Date(entry.at).toISOString()),
            entry.actor,
            entry.action,
            entry.subject,
            entry.details === '{}' ? '' : entry.details,
          ]),
        ]),
  );
}

async function exportAll(args: readonly string[], deps: AuditCliDeps): Promise<void> {
  if (readArguments(args, {}).positionals.length > 0) throw new OperatorError('export takes no arguments. See --help.');
  await usingStore(deps, async (store) => {
    await note(store, deps.stderr, { action: 'audit.export' });
    await pipeline(linesOf(createAuditLog(store.sql).entries()), deps.stdout, { end: false });
  });
}

async function verify(args: readonly string[], { stdout }: AuditCliDeps): Promise<void> {
  const [file, ...others] = readArguments(args, {}).positionals;
  if (file === undefined || others.length > 0) throw new OperatorError('verify needs one file. See --help.');
  try {
    const { count, first, last } = await verified(readText(file));
    if (first === undefined || last === undefined) throw new OperatorError('there is no entry in it');
    stdout.write(`Whole: ${count} entries, ${first.sequence} to ${last.sequence}. Hash of the last: ${last.hash}\n`);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new OperatorError(`${file} is not whole: ${error.message}.`, { cause: error });
  }
}
