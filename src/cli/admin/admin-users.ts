/** `admin users`: accounts from the machine itself, for those who cannot get in, or before anybody can. */
import { OperatorError } from '../../errors.js';
import { createAccounts, type Account, type Accounts } from '../../people/accounts.js';
import { createInvitations, invitationPath, type NewInvitation } from '../../people/invitations.js';
import { COMMAND_LINE, ROLES, type Role } from '../../people/roles.js';
import type { Store } from '../../storage/store.js';
import { minuteOf, note, parseDurationMs, readArguments, tableLines, type Output } from '../command.js';
import { DAY_MS } from '../../durations.js';

export const USERS_HELP = `  users list [--json]                    All accounts.
  users invite NAME --role ROLE          Print a link with which somebody sets a password and has an account of this name.
      [--expires-in 7d]
  users reset-password NAME              Print a link with which an account sets a new password, once, within a day.
  users set-role NAME --role ROLE        ${ROLES.join(', ')}. It counts from the next request on.
  users disable NAME, users enable NAME  Let an account in no more, and again. Disabling ends its sessions.
`;

interface Context {
  readonly store: Pick<Store, 'sql'>;
  readonly stdout: Output;
  readonly stderr: Output;
}

export async function users(args: readonly string[], context: Context): Promise<void> {
  const { store, stdout, stderr } = context;
  const { values, positionals } = readArguments(args, {
    role: { type: 'string' },
    'expires-in': { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  const [command = '', name, ...others] = positionals;
  const accounts = createAccounts(store.sql);
  const invitations = createInvitations(store.sql);
  const noted = (action: string, subject: string, details: Record<string, string> = {}): Promise<void> =>
    note(store, stderr, { action, subject, details });

  if (command === 'list' && name === undefined) {
    const all = (await accounts.list()).map(told);
    stdout.write(values.json ? `${JSON.stringify(all)}\n` : tableOf(all));
    return;
  }
  if (name === undefined || others.length > 0)
    throw new OperatorError('users needs a command and one name. See --help.');
  switch (command) {
    case 'invite': {
      const expiresIn = values['expires-in'];
      const days = expiresIn === undefined ? {} : { days: parseDurationMs('--expires-in', expiresIn) / DAY_MS };
      const role = roleIn(values.role);
      const created = await invitations.create({ name, role, ...days }, COMMAND_LINE.name);
      printLink(created, context);
      await noted('invitation.create', created.invitation.id, { name: created.invitation.name, role });
      return;
    }
    case 'reset-password': {
      const { id } = await accountCalled(name, accounts);
      printLink(await invitations.resetPassword(id, COMMAND_LINE.name), context);
      await noted('account.reset_password', id);
      return;
    }
    case 'set-role': {
      const role = roleIn(values.role);
      const { id } = await accounts.change((await accountCalled(name, accounts)).id, { role });
      stdout.write(`${name} is ${role} from the next request on.\n`);
      await noted('account.change', id, { role });
      return;
    }
    case 'disable':
    case 'enable': {
      const disabled = command === 'disable';
      const { id } = await accounts.change((await accountCalled(name, accounts)).id, { disabled });
      stdout.write(`${name} is ${command}d.\n`);
      await note(store, stderr, { action: 'account.change', subject: id, details: { disabled } });
      return;
    }
    default:
      throw new OperatorError('users has list, invite, reset-password, set-role, disable and enable. See --help.');
  }
}

/** @throws OperatorError when there is none of this name */
async function accountCalled(name: string, accounts: Accounts): Promise<Account> {
  const account = await accounts.find({ name });
  if (account !== undefined) return account;
  throw new OperatorError('There is no account of this name. "users list" says which there are.');
}

function roleIn(role: string | undefined): Role {
  const found = ROLES.find((each) => each === role);
  if (found !== undefined) return found;
  throw new OperatorError(`--role must be one of: ${ROLES.join(', ')}.`);
}

function printLink({ token, invitation }: NewInvitation, { stdout, stderr }: Context): void {
  stdout.write(`${invitationPath(token)}\n`);
  const until = minuteOf(new Date(invitation.expiresAt).toISOString());
  stderr.write(`Put the address of the service before it. It works once, until ${until}.\n`);
}

function told({ id, name, role, createdAt, disabledAt }: Account) {
  return { id, name, role, createdAt: createdAt.toISOString(), disabledAt: disabledAt?.toISOString() ?? null };
}

function tableOf(all: readonly ReturnType<typeof told>[]): string {
  if (all.length === 0) return 'There are no accounts beside the password of the service.\n';
  return tableLines([
    ['ID', 'NAME', 'ROLE', 'CREATED', 'STATE'],
    ...all.map(({ id, name, role, createdAt, disabledAt }) => [
      id,
      name,
      role,
      minuteOf(createdAt),
      disabledAt === null ? 'active' : `disabled ${minuteOf(disabledAt)}`,
    ]),
  ]);
}
