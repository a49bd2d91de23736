/** Entry point of `npm run licences`: prints name, version and licence of every package of a production install. */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { OperatorError } from '../errors.js';
import { exitStatusOf } from './command.js';
import { productionPackages } from './licences/production-licences.js';

const HELP = `Usage: npm run --silent licences

  Prints name, version and licence of every package of a production install, as the lockfile has them.
`;

function licences(argv: readonly string[]): string {
  if (argv.includes('--help')) return HELP;
  if (argv.length > 0) throw new OperatorError('The command takes no arguments. See --help.');
  // In dist/src/cli once it is built.
  const lockfile = readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8');
  return productionPackages(lockfile)
    .map(({ name, version, licence }) => `${name}@${version}\t${licence}\n`)
    .join('');
}

process.exitCode = await exitStatusOf(() => {
  process.stdout.write(licences(process.argv.slice(2)));
  return Promise.resolve();
}, process.stderr);
