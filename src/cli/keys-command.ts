/** The `keys` command: reads its arguments, asks the store, prints. Knows nothing of how keys are stored. */
import { OperatorError } from '../errors.js';
import { keyEnvironmentSchema, summaryOf, type Key, type KeyEnvironment, type KeySummary } from '../keys/key-record.js';
import type { CreatedKey } from '../keys/key-repository.js';
import type { AuditEvent } from '../people/audit-log.js';
import type { Store } from '../storage/store.js';
import {
  parseDurationMs,
  note,
  readArguments,
  runCommands,
  wholeNumber,
  type Output,
  minuteOf,
  tableLines,
  usingStore,
  type StoreOpening,
} from './command.js';

const HELP = `Usage: npx parapet keys COMMAND

  create --project NAME --name LABEL   Create a key and print it, once.
      [--env live|test]                  live (the default) for production, test for development
      [--expires-in 90d]                 30s, 15m, 24h, 90d; without it the key never expires
      [--rate-limit N]                   requests a minute; without it the server's limit applies
      [--json]
  list [--json]                        List all keys, without their secrets.
  revoke ID                            Revoke a key in every running server, from now on.
  rotate ID                            Print a new key in place of an old one, which is revoked.
      [--overlap 24h]                    let the old one work for this long
      [--json]
  signing-secret ID                    Give a key the secret that its caller signs requests with, as Coral does, or another
                                       one. It is the first line of standard input, never an argument.

The key alone goes to standard output, so that KEY=$(npx parapet keys create ...) works.
The file is KEYS_FILE (keys.json in PARAPET_HOME). Exit status: 0, or 2 with the reason on standard error.
`;

export interface KeysCliDeps extends StoreOpening {
  /** @returns undefined at the end of input */
  readonly readSecret: () => Promise<string | undefined>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly now?: () => Date;
}

/** Resolves to the exit status: 0, or 2 after one line on stderr. Never rejects. */
export function runKeysCli(argv: readonly string[], deps: KeysCliDeps): Promise<number> {
  const onKeys =
    (command: Command) =>
    (args: readonly string[]): Promise<void> =>
      usingStore(deps, (store) =>
        command(args, {
          now: () => new Date(),
          ...deps,
          keys: store.keys,
          noted: (action, { id }, details) => note(store, deps.stderr, { action, subject: id, details }),
        }),
      );
  return runCommands(argv, deps, HELP, {
    create: onKeys(create),
    list: onKeys(list),
    revoke: onKeys(revoke),
    rotate: onKeys(rotate),
    'signing-secret': onKeys(setSigningSecret),
  });
}

interface Context extends Required<KeysCliDeps>, Pick<Store, 'keys'> {
  /** In the audit log. */
  readonly noted: (action: string, record: Key, details?: AuditEvent['details']) => Promise<void>;
}
type Command = (args: readonly string[], context: Context) => Promise<void>;

async function create(args: readonly string[], context: Context): Promise<void> {
  const { values, positionals } = readArguments(args, {
    project: { type: 'string' },
    name: { type: 'string' },
    env: { type: 'string', default: 'live' },
    'expires-in': { type: 'string' },
    'rate-limit': { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  expectNone(positionals, 'create');
  const { project, name } = required({ project: values.project, name: values.name });
  const created = await context.keys.create({
    project,
    name,
    environment: environmentOf(values.env),
    expiresInMs: values['expires-in'] === undefined ? null : parseDurationMs('--expires-in', values['expires-in']),
    rateLimitPerMinute: values['rate-limit'] === undefined ? null : wholeNumber('--rate-limit', values['rate-limit']),
  });
  printCreated(created, values.json, context);
  await context.noted('key.create', created.record);
}

async function list(args: readonly string[], { keys, stdout, now }: Context): Promise<void> {
  const { values, positionals } = readArguments(args, { json: { type: 'boolean', default: false } });
  expectNone(positionals, 'list');
  const at = now();
  const summaries = (await keys.list()).map((record) => summaryOf(record, at));
  if (values.json) stdout.write(`${JSON.stringify(summaries)}\n`);
  else stdout.write(summaries.length === 0 ? `There are no keys in ${keys.location}.\n` : tableOf(summaries));
}

async function revoke(args: readonly string[], { keys, stdout, noted }: Context): Promise<void> {
  const { positionals } = readArguments(args, {});
  const record = await keys.revoke(onlyId(positionals, 'revoke'));
  stdout.write(`Revoked ${record.id} (${record.name}) of project ${record.project}.\n`);
  await noted('key.revoke', record);
}

async function rotate(args: readonly string[], context: Context): Promise<void> {
  const { values, positionals } = readArguments(args, {
    overlap: { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  const id = onlyId(positionals, 'rotate');
  const overlapMs = values.overlap === undefined ? 0 : parseDurationMs('--overlap', values.overlap);
  const rotated = await context.keys.rotate(id, { overlapMs });
  printCreated(rotated, values.json, context, { previous: summaryOf(rotated.previous, context.now()) });
  if (!values.json) context.stderr.write(endOfPrevious(rotated.previous));
  await context.noted('key.rotate', rotated.previous, { replacedBy: rotated.record.id });
}

async function setSigningSecret(args: readonly string[], { keys, readSecret, stderr, noted }: Context): Promise<void> {
  const { positionals } = readArguments(args, {});
  const id = onlyId(positionals, 'signing-secret');
  const secret = await readSecret();
  if (secret === undefined) throw new OperatorError('There is no secret on standard input.');
  const record = await keys.setSigningSecret(id, secret);
  stderr.write(`Coral's address for it: /v1/guardrails/coral/${record.id}, project ${record.project}.\n`);
  await noted('key.signing_secret', record);
}

function printCreated({ key, record }: CreatedKey, json: boolean, context: Context, more: object = {}): void {
  if (json) {
    context.stdout.write(`${JSON.stringify({ key, ...summaryOf(record, context.now()), ...more })}\n`);
    return;
  }
  context.stdout.write(`${key}\n`);
  context.stderr.write(explanationOf(record));
}

/** @throws OperatorError that names every flag that is missing */
function required<Flag extends string>(values: Record<Flag, string | undefined>): Record<Flag, string> {
  const missing = Object.entries(values)
    .filter(([, value]) => value === undefined)
    .map(([flag]) => `--${flag}`);
  if (missing.length > 0) {
    throw new OperatorError(`${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing. See --help.`);
  }
  return values as Record<Flag, string>;
}

function expectNone(positionals: readonly string[], command: string): void {
  if (positionals.length > 0)
    throw new OperatorError(`${command} takes flags only. Put quotes around names with blanks.`);
}

function onlyId(positionals: readonly string[], command: string): string {
  const [id, ...others] = positionals;
  if (id === undefined || others.length > 0) throw new OperatorError(`${command} needs one key id. See --help.`);
  return id;
}

function environmentOf(value: string): KeyEnvironment {
  const parsed = keyEnvironmentSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new OperatorError(`--env must be ${keyEnvironmentSchema.options.join(' or ')}.`);
}

const HEADINGS = ['ID', 'PROJECT', 'NAME', 'ENV', 'KEY', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED'];

function tableOf(summaries: readonly KeySummary[]): string {
  return tableLines([
    HEADINGS,
    ...summaries.map((each) => [
      each.id,
      each.project,
      each.name,
      each.environment,
      `${each.start}…`,
      each.state,
      minuteOf(each.createdAt),
      each.expiresAt === null ? 'never' : minuteOf(each.expiresAt),
      each.lastUsedAt === null ? 'never' : minuteOf(each.lastUsedAt),
    ]),
  ]);
}

function explanationOf(record: Key): string {
  const lifetime = record.expiresAt === null ? 'never expires' : `expires ${minuteOf(record.expiresAt)}`;
  const { id, name, project, environment } = record;
  return `Key ${id} (${name}) of project ${project}, ${environment}, ${lifetime}. It is shown only this once: store it now.\n`;
}

function endOfPrevious({ id, expiresAt, revokedAt }: Key): string {
  return `The old key ${id} ${revokedAt === null ? `works until ${minuteOf(expiresAt ?? 'revoked')}` : 'is revoked'}.\n`;
}
