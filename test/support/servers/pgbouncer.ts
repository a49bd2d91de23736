/** PgBouncer in transaction mode, in front of a server of the test's own. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.js';
import { NOBODY, PASSWORD, USER } from './postgres.js';

export const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0;

if (!hasPgBouncer)
  process.stderr.write('SKIPPED: the store behind PgBouncer, which is not here (apt-get install pgbouncer).\n');

export interface PgBouncer {
  readonly port: number;
  close(): Promise<void>;
}

/** @param port of the server */
export async function startPgBouncer(target: number): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-pgbouncer-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  writeFileSync(join(folder, 'users.txt'), `"${USER}" "${PASSWORD}"\n`);
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=127.0.0.1 port=${target}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = 3
`,
  );
  const bouncer = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], {
    // It refuses to run as root.
    ...(process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: bouncer.stderr }).on('line', (line) => {
      if (line.includes('process up')) resolve();
    });
    bouncer.once('error', reject);
    bouncer.once('exit', () => reject(new Error('PgBouncer did not start.')));
  });
  return {
    port,
    async close() {
      const ended = once(bouncer, 'exit');
      bouncer.kill('SIGQUIT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
