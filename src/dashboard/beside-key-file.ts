/** Names the files of the dashboard: they lie in the folder of the key file and carry its name, so that two key files never share them. */
import { basename, dirname, join } from 'node:path';

/** `data/keys.json` and `statistics` give `data/keys.statistics.json`. */
export function besideKeyFile(keysFile: string, what: 'admin' | 'statistics'): string {
  return join(dirname(keysFile), `${basename(keysFile, '.json')}.${what}.json`);
}
