/** The process behind `npx parapet migrate`: makes the schema of the database that is named, or brings it to that of this release. */
import process, { stdout } from 'node:process';
import { storePlace } from '../config/config.js';
import { OperatorError } from '../errors.js';
import { asksForHelp, exitStatusOf } from './command.js';

const HELP = `Usage: npx parapet migrate

  Makes the tables of DATABASE_URL in the schema "parapet", or brings them to what this release needs. It may be run while
  servers run, by several at once, and as often as you like.

Exit status: 0, or 2 with the reason on standard error; the database is then as it was.
`;

async function runMigrate(argv: readonly string[]): Promise<void> {
  if (asksForHelp(argv)) {
    stdout.write(HELP);
    return;
  }
  if (argv.length > 0) throw new OperatorError('The command takes no arguments. See --help.');
  const { databaseUrl } = storePlace();
  if (databaseUrl === undefined)
    throw new OperatorError('DATABASE_URL is not set: files need no migration. See --help.');
  // Without a database nothing of it is loaded.
  const { migrate } = await import('../storage/postgres/migrations.js');
  const { location, applied } = await migrate(databaseUrl);
  stdout.write(
    applied.length === 0
      ? `Nothing to do: ${location} is up to date.\n`
      : `Applied to ${location}: ${applied.join(', ')}.\n`,
  );
}

process.exitCode = await exitStatusOf(() => runMigrate(process.argv.slice(2)), process.stderr);
