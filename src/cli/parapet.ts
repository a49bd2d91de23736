#!/usr/bin/env node
/** The one command line: `parapet COMMAND`. Knows the commands by name, and loads the one that is asked for. */
import process from 'node:process';
import { exitStatusOf } from './command.js';
import { start } from './start.js';

interface Command {
  readonly about: string;
  /** Of the module behind it, which reads its arguments from the process. */
  readonly module?: string;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  start: { about: 'Start the service. --processes N|auto: in several processes on one port.' },
  quickstart: { about: 'Start it for a first look: with a key, and a command to paste.', module: '../quickstart.js' },
  keys: { about: 'Make, list, rotate and revoke API keys.', module: './keys.js' },
  policies: { about: 'Decide what passes in each project.', module: './policies.js' },
  admin: { about: 'Set the password of the dashboard, invite people, change roles.', module: './admin.js' },
  audit: { about: 'Say who did what, export it, and check an export.', module: './audit.js' },
  decisions: { about: 'Export and delete what projects keep of verdicts.', module: './decisions.js' },
  store: {
    about: 'Export all that is kept, as a backup or to move it, and import it elsewhere.',
    module: './store.js',
  },
  migrate: { about: 'Make or renew the tables of the database, where there is one.', module: './migrate.js' },
  models: { about: 'List and check the models that are here, or pull another.', module: './models.js' },
  accuracy: { about: 'Measure the verdicts on a labelled file.', module: '../../benchmarks/accuracy/main.js' },
  doctor: { about: 'Say what this machine can do, and what stands in the way.', module: './doctor.js' },
};

const HELP = `Usage: npx parapet COMMAND

${Object.entries(COMMANDS)
  .map(([name, { about }]) => `  ${name.padEnd(12)}${about}\n`)
  .join('')}
npx parapet COMMAND --help says more; quickstart takes no arguments. Settings are environment variables; what is
kept lies in PARAPET_HOME (./data). Exit status: that of the command, or 2 with the reason on standard error.
`;

const [, , name = '--help', ...rest] = process.argv;
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;

if (name === '--version') {
  const { packageVersion } = await import('../config/package-version.js');
  process.stdout.write(`${packageVersion()}\n`);
} else if (
  ['--help', '-h', 'help'].includes(name) ||
  (['start', 'quickstart'].includes(name) && rest[0] === '--help')
) {
  process.stdout.write(HELP);
} else if (command === undefined || (name === 'quickstart' && rest.length > 0)) {
  process.stderr.write(
    `${command === undefined ? `There is no command ${JSON.stringify(name)}` : `${name} takes no arguments`}. See npx parapet --help.\n`,
  );
  process.exitCode = 2;
} else if (command.module === undefined) {
  process.exitCode = await exitStatusOf(() => start(rest), process.stderr);
} else {
  process.argv.splice(2, 1);
  await import(command.module);
}
