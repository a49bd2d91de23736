/** Names what belongs to a key file: it lies in the same folder and carries its name, so that two key files never share it. */
import { basename, dirname, join } from 'node:path';

/** `data/keys.json` and `statistics.json` give `data/keys.statistics.json`. */
export function besideKeyFile(
  keysFile: string,
  what: 'admin.json' | 'policies.json' | 'statistics.json' | 'usage.jsonl',
): string {
  return join(dirname(keysFile), `${basename(keysFile, '.json')}.${what}`);
}
