/** The `admin` command: sets the password of the dashboard, and helps its operator in. Reads it from standard input, never from arguments, which others can see. */
import { asksForHelp, exitStatusOf, type Output } from './command.js';
import { OperatorError } from '../errors.js';
import { formatAdminPasswordHash, type AdminPasswordHash, hashAdminPassword } from '../admin-password.js';
import { createKnownBrowsers } from '../dashboard/session/known-browsers.js';
import type { AdminPasswordRepository } from '../storage/store.js';

const LINK_MINUTES = 15;

const HELP = `Usage: npx parapet admin COMMAND

  set-password     Turn the dashboard on: keep a hash of the password in a file next to KEYS_FILE.
                   Start the service anew afterwards. To turn it off, remove the file.
  hash-password    Print the hash alone, for the setting ADMIN_PASSWORD_HASH, and write nothing.
  sign-in-link     Print the end of an address that lets one browser try the password, for ${LINK_MINUTES} minutes, although
                   the dashboard answers that there were too many attempts. Needs the password all the same.

The password (12 to 256 characters) is asked for, or is the first line of standard input.
Exit status: 0, or 2 with the reason on standard error.
`;

export interface AdminCliDeps {
  readonly adminPassword: AdminPasswordRepository;
  /** Of the setting. @throws OperatorError when that is wrong */
  readonly passwordHash: () => AdminPasswordHash | undefined;
  /** @returns undefined at the end of input */
  readonly readPassword: () => Promise<string | undefined>;
  readonly stdout: Output;
  readonly stderr: Output;
}

/** Resolves to the exit status: 0, or 2 after one line on stderr. Never rejects. */
export function runAdminCli(argv: readonly string[], deps: AdminCliDeps): Promise<number> {
  return exitStatusOf(() => runCommand(argv, deps), deps.stderr);
}

async function runCommand(argv: readonly string[], deps: AdminCliDeps): Promise<void> {
  const [command, ...rest] = argv;
  const { stdout, stderr, adminPassword } = deps;
  if (asksForHelp(argv)) {
    stdout.write(HELP);
    return;
  }
  if (command !== 'set-password' && command !== 'hash-password' && command !== 'sign-in-link') {
    throw new OperatorError('The command must be set-password, hash-password or sign-in-link. See --help.');
  }
  if (rest.length > 0) {
    // Not quoted: it may be the password itself.
    throw new OperatorError(`${command} takes no arguments: the password is read from standard input.`);
  }
  if (command === 'sign-in-link') {
    return printSignInLink(deps);
  }
  const password = await deps.readPassword();
  if (password === undefined) throw new OperatorError('There is no password on standard input.');
  const hash = await hashAdminPassword(password);
  if (command === 'hash-password') {
    stdout.write(`${formatAdminPasswordHash(hash)}\n`);
    return;
  }
  await adminPassword.set(hash);
  stderr.write(`The hash is in ${adminPassword.location}. Start the service anew, then open /dashboard.\n`);
}

async function printSignInLink({ stdout, stderr, adminPassword, passwordHash }: AdminCliDeps): Promise<void> {
  const hash = passwordHash() ?? (await adminPassword.get());
  if (hash === undefined) {
    throw new OperatorError('No password is set, neither by ADMIN_PASSWORD_HASH nor by set-password. See --help.');
  }
  stdout.write(`/dashboard#pass=${createKnownBrowsers(hash).issue(LINK_MINUTES * 60_000)}\n`);
  stderr.write(`Put the address of the service before it, and open that within ${LINK_MINUTES} minutes.\n`);
}
