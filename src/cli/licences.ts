/** Entry point of `npm run licences`: prints name, version and licence of every package of a production install. */
import { readFileSync } from 'node:fs';
import { productionPackages } from './production-licences.js';

// In dist/src/cli once it is built.
const lockfile = readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8');
for (const { name, version, licence } of productionPackages(lockfile)) {
  process.stdout.write(`${name}@${version}\t${licence}\n`);
}
