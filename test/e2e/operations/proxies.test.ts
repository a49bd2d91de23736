/** Promises of docs/operations/nginx.conf, Caddyfile and haproxy.cfg, each in front of the built service. Skipped where the proxy is not installed. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../../support/client-package.js';
import { freePort } from '../../support/servers/free-port.js';
import { isMissing, selfSigned, startHaproxy } from '../../support/servers/haproxy.js';
import { eventually, startServiceForAll, temporaryFolder, type ReadyService } from '../../support/service.js';
import { TOXIC } from '../../support/texts.js';

const example = (name: string): string => readFileSync(join(ROOT, 'docs/operations', name), 'utf8');

let service: ReadyService;
startServiceForAll((started) => (service = started), {
  TRUST_PROXY: 'loopback',
  METRICS: 'public',
  FAILED_KEYS_PER_MINUTE: '3',
});

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
}

/** As fetch, but that nobody vouches for the certificate. */
async function ask(url: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  const request = send(url, { method: body === undefined ? 'GET' : 'POST', headers, rejectUnauthorized: false });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  // What it still sends of a refused body nobody reads.
  request.on('error', () => undefined);
  return { status: response.statusCode, body: await text(response) };
}

async function untilReady(address: string, proxy: ChildProcess): Promise<void> {
  onTestFinished(async () => {
    // nginx ends its workers with itself, unless it is killed.
    proxy.kill('SIGTERM');
    await ended.catch(() => undefined);
  });
  const ended = once(proxy, 'exit').then(() => Promise.reject(new Error('the proxy does not start')));
  const status = (): Promise<number | undefined> =>
    ask(`${address}/readyz`).then(
      (answer) => answer.status,
      () => undefined,
    );
  await Promise.race([ended, eventually(status, (code) => code === 200)]);
}

async function startNginx(): Promise<{ address: string; log: () => string }> {
  const folder = temporaryFolder();
  // Its workers are another user's.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const { certificate, key } = selfSigned(folder);
  const log = join(folder, 'access.log');
  const site = example('nginx.conf')
    .replace('listen 443 ', `listen 127.0.0.1:${port} `)
    .replace('127.0.0.1:3000', new URL(service.address).host)
    .replace(/(ssl_certificate) \S+;/, `$1 ${certificate};`)
    .replace(/(ssl_certificate_key) \S+;/, `$1 ${key};`)
    .replace(/access_log \S+/, `access_log ${log}`);
  writeFileSync(join(folder, 'site.conf'), site);
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
http { client_body_temp_path ${folder}; proxy_temp_path ${folder}; include ${folder}/site.conf; }`,
  );
  const address = `https://127.0.0.1:${port}`;
  await untilReady(address, spawn('nginx', ['-c', join(folder, 'nginx.conf')], { stdio: 'inherit' }));
  return { address, log: () => readFileSync(log, 'utf8') };
}

async function startCaddy(): Promise<{ address: string; log: () => string }> {
  const folder = temporaryFolder();
  const address = `http://127.0.0.1:${await freePort()}`;
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, `{\n\tadmin off\n}\n${example('Caddyfile')}`);
  const { PATH } = process.env;
  const caddy = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    env: { PATH, HOME: folder, DOMAIN: address, UPSTREAM: new URL(service.address).host },
  });
  let log = '';
  caddy.stderr.on('data', (chunk) => (log += String(chunk)));
  await untilReady(address, caddy);
  return { address, log: () => log };
}

describe.each([
  ['nginx', startNginx],
  ['caddy', startCaddy],
  ['haproxy', () => startHaproxy({ ports: [Number(new URL(service.address).port)], tls: true })],
] as const)('%s', (command, start) => {
  it.skipIf(isMissing(command) || isMissing('openssl'))(
    'hands on verdicts and refusals as they are, tells who asks, shows no metrics, and logs no key',
    async () => {
      const { address, log } = await start();
      const json = { 'Content-Type': 'application/json' };
      const verdict = await ask(
        `${address}/v1/analyze`,
        { ...json, 'X-API-Key': service.key },
        JSON.stringify({ content: TOXIC }),
      );
      expect([verdict.status, JSON.parse(verdict.body)]).toMatchObject([200, { passed: false }]);
      const scores = await ask(
        `${address}/v1alpha1/comments:analyze?key=${service.key}`,
        json,
        JSON.stringify({ comment: { text: TOXIC }, requestedAttributes: { TOXICITY: {} } }),
      );
      expect(scores.status).toBe(200);
      const large = await ask(`${address}/v1/analyze`, { ...json, 'X-API-Key': service.key }, 'x'.repeat(5_000_000));
      expect([large.status, JSON.parse(large.body)]).toMatchObject([413, { code: 'body_too_large' }]);
      expect((await ask(`${address}/metrics`)).status).toBe(404);
      // Whoever claims another address each time counts as one client all the same.
      const strangers: (number | undefined)[] = [];
      for (let count = 1; count <= 5; count += 1) {
        const headers = { ...json, 'X-Forwarded-For': `192.0.2.${count}` };
        strangers.push((await ask(`${address}/v1/analyze`, headers, '{"content":"a"}')).status);
      }
      expect(strangers.at(-1)).toBe(429);
      expect(log()).not.toContain(service.key);
    },
  );
});

it.skipIf(isMissing('caddy'))('Caddy gets a certificate for DOMAIN, and listens where browsers come', () => {
  const { PATH, HOME } = process.env;
  const adapted = spawnSync('caddy', ['adapt', '--config', join(ROOT, 'docs/operations/Caddyfile')], {
    env: { PATH, HOME, DOMAIN: 'moderation.example.com' },
    encoding: 'utf8',
  });
  expect(JSON.parse(adapted.stdout)).toMatchObject({
    apps: {
      http: { servers: { srv0: { listen: [':443'], routes: [{ match: [{ host: ['moderation.example.com'] }] }] } } },
    },
  });
});
