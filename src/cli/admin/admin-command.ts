/** The `admin` command: sets the password of the dashboard, and helps its operator in. Reads it from standard input, never from arguments, which others can see. */
import { formatAdminPasswordHash, type AdminPasswordHash, hashAdminPassword } from '../../admin-password.js';
import { createKnownBrowsers } from '../../dashboard/session/known-browsers.js';
import { OperatorError } from '../../errors.js';
import { note, runCommands, usingStore, type Output, type StoreOpening } from '../command.js';
import { users, USERS_HELP } from './admin-users.js';

const LINK_MINUTES = 15;

const HELP = `Usage: npx parapet admin COMMAND

  set-password                           Turn the dashboard on: keep a hash of the owner's password in a file next to
                                         KEYS_FILE. Start the service anew afterwards. To turn it off, remove the file.
  hash-password                          Print the hash alone, for the setting ADMIN_PASSWORD_HASH, and write nothing.
  sign-in-link                           Print the end of an address that lets one browser try the owner's password, for
                                         ${LINK_MINUTES} minutes, although the dashboard answers that there were too many
                                         attempts. Needs the password all the same.
${USERS_HELP}
The password (12 to 256 characters) is asked for, or is the first line of standard input.
Exit status: 0, or 2 with the reason on standard error.
`;

export interface AdminCliDeps extends StoreOpening {
  /** Of the setting. @throws OperatorError when that is wrong */
  readonly passwordHash: () => AdminPasswordHash | undefined;
  /** @returns undefined at the end of input */
  readonly readPassword: () => Promise<string | undefined>;
  readonly stdout: Output;
  readonly stderr: Output;
}

/** Resolves to the exit status: 0, or 2 after one line on stderr. Never rejects. */
export function runAdminCli(argv: readonly string[], deps: AdminCliDeps): Promise<number> {
  return runCommands(argv, deps, HELP, {
    async 'set-password'(args, { stderr }) {
      const hash = await newHash('set-password', args, deps);
      await usingStore(deps, async (store) => {
        const { adminPassword } = store;
        await adminPassword.set(hash);
        stderr.write(`The hash is in ${adminPassword.location}. Start the service anew, then open /dashboard.\n`);
        await note(store, stderr, { action: 'owner.password' });
      });
    },
    async 'hash-password'(args, { stdout }) {
      stdout.write(`${formatAdminPasswordHash(await newHash('hash-password', args, deps))}\n`);
    },
    async 'sign-in-link'(args, { passwordHash, stdout, stderr }) {
      refuseArguments('sign-in-link', args);
      const hash = passwordHash() ?? (await usingStore(deps, ({ adminPassword }) => adminPassword.get()));
      if (hash === undefined) {
        throw new OperatorError('No password is set, neither by ADMIN_PASSWORD_HASH nor by set-password. See --help.');
      }
      stdout.write(`/dashboard#pass=${createKnownBrowsers(hash).issue(LINK_MINUTES * 60_000)}\n`);
      stderr.write(`Put the address of the service before it, and open that within ${LINK_MINUTES} minutes.\n`);
    },
    users: (args) => usingStore(deps, (store) => users(args, { ...deps, store })),
  });
}

async function newHash(command: string, args: readonly string[], deps: AdminCliDeps): Promise<AdminPasswordHash> {
  refuseArguments(command, args);
  const password = await deps.readPassword();
  if (password === undefined) throw new OperatorError('There is no password on standard input.');
  return hashAdminPassword(password);
}

function refuseArguments(command: string, args: readonly string[]): void {
  // Not quoted: it may be the password itself.
  if (args.length > 0) {
    throw new OperatorError(`${command} takes no arguments: the password is read from standard input.`);
  }
}
