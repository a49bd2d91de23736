/** HAProxy with docs/operations/haproxy.cfg, on a free port in front of copies of the service. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ROOT } from '../client-package.js';
import { eventually, temporaryFolder } from '../service.js';
import { freePort } from './free-port.js';

export const isMissing = (command: string): boolean => spawnSync(command, ['-h']).error !== undefined;

/** A certificate that vouches for itself. @returns the paths of it, and of its key */
export function selfSigned(folder: string): { certificate: string; key: string } {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'],
    ...['-keyout', key, '-out', certificate],
  ]);
  if (made.status !== 0) throw new Error(String(made.stderr));
  return { certificate, key };
}

interface HaproxyOptions {
  /** Of the copies, as many as the example has or fewer. */
  readonly ports: readonly number[];
  readonly tls?: boolean;
  /** Lives until this: by default the end of the test. */
  readonly afterwards?: (clean: () => unknown) => void;
}

/** Ends with the test. @returns its address, once it listens, and what it has logged */
export async function startHaproxy({
  ports,
  tls = false,
  afterwards = (clean) => onTestFinished(() => void clean()),
}: HaproxyOptions): Promise<{ address: string; log: () => string }> {
  const folder = temporaryFolder(afterwards);
  const port = await freePort();
  let example = readFileSync(join(ROOT, 'docs/operations/haproxy.cfg'), 'utf8');
  if (tls) {
    const { certificate, key } = selfSigned(folder);
    writeFileSync(join(folder, 'both.pem'), readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
    example = example.replace(/bind :443 ssl crt \S+/, `bind 127.0.0.1:${port} ssl crt ${folder}/both.pem`);
  } else example = example.replace(/bind .*/, `bind 127.0.0.1:${port}`);
  let copy = 0;
  example = example.replaceAll(/^ +server parapet-\d \S+\n/gm, (line) => {
    const own = ports[copy];
    copy += 1;
    return own === undefined ? '' : line.replace(/127\S+/, `127.0.0.1:${own}`);
  });
  writeFileSync(join(folder, 'haproxy.cfg'), example);
  const haproxy = spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')]);
  let log = '';
  haproxy.stdout.on('data', (chunk) => (log += String(chunk)));
  haproxy.stderr.on('data', (chunk) => (log += String(chunk)));
  const ended = once(haproxy, 'exit');
  afterwards(async () => {
    haproxy.kill('SIGTERM');
    await ended;
  });
  const listens = async (): Promise<boolean> => {
    const socket = connect(port, '127.0.0.1');
    const connected = once(socket, 'connect').then(
      () => true,
      () => false,
    );
    return connected.finally(() => socket.destroy());
  };
  const failed = ended.then(() => Promise.reject(new Error(`HAProxy does not start: ${log}`)));
  failed.catch(() => undefined);
  await Promise.race([failed, eventually(listens, (does) => does)]);
  return { address: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, log: () => log };
}
