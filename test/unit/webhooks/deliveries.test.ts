/** Promises of what is sent to webhooks: signed so that the published library takes it, to addresses of the internet alone, and bounded. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDeliveries } from '../../../src/webhooks/deliveries.js';
import { isAllowed, sendWebhook, type SendOptions } from '../../../src/webhooks/send-webhook.js';
import type { DueDelivery } from '../../../src/webhooks/webhook-repository.js';

const secretOf = (letter: string): string => ['whsec', Buffer.alloc(24, letter).toString('base64')].join('_');
const PAYLOAD = JSON.stringify({ type: 'review.outcome', data: { outcome: 'reversed' } });
const LOCAL = ['127.0.0.0/8'];

async function serverThat(answers: RequestListener) {
  const server = createServer(answers);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const deliveryTo = (url: string, more: Partial<DueDelivery> = {}): DueDelivery => ({
  ...{ id: 'msg_1', projectId: 'prj_shop', url, payload: PAYLOAD, secrets: [secretOf('a')], ...more },
});

const send = (url: string, more: Partial<DueDelivery> = {}, options: Partial<SendOptions> = {}) =>
  sendWebhook(deliveryTo(url, more), { networks: LOCAL, now: () => new Date(), ...options });

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

describe('a request to a webhook', () => {
  it('is signed with every secret that counts, so that the published library takes it', async () => {
    const seen: { headers: Record<string, string>; body: string }[] = [];
    const port = await serverThat((request, response) => {
      void text(request).then((body) => {
        seen.push({ headers: headersOf(request), body });
        response.writeHead(204).end();
      });
    });
    const secrets = [secretOf('a'), secretOf('b')];
    expect(await send(`http://127.0.0.1:${port}/hook`, { secrets })).toBeUndefined();
    const [{ headers, body } = { headers: {}, body: '' }] = seen;
    for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(PAYLOAD));
    expect(() => new Webhook(secretOf('c')).verify(body, headers)).toThrow();
    expect(headers['webhook-id']).toBe('msg_1');
  });

  it('fails with what is answered but success, and follows no redirect', async () => {
    const seen: string[] = [];
    const port = await serverThat(({ url = '' }, response) => {
      seen.push(url);
      const status = Number(url.slice(1));
      response.writeHead(status, status === 302 ? { location: '/200' } : {}).end();
    });
    for (const status of [302, 400, 500, 503]) {
      const problem = `it answered ${status}`;
      expect(await send(`http://127.0.0.1:${port}/${status}`)).toEqual({ problem, isGone: false });
    }
    expect(await send(`http://127.0.0.1:${port}/410`)).toMatchObject({ isGone: true });
    expect(seen).not.toContain('/200');
  });

  it('reads nothing of an answer that does not end', async () => {
    let isClosed: Promise<void> | undefined;
    const port = await serverThat((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'.repeat(65_536)), 1);
      isClosed = new Promise((resolve) =>
        response.once('close', () => {
          clearInterval(timer);
          resolve();
        }),
      );
    });
    expect(await send(`http://127.0.0.1:${port}/`)).toBeUndefined();
    await isClosed;
  });

  it('is given up where there is no answer in time, or nobody listens', async () => {
    const port = await serverThat(() => undefined);
    const late = await send(`http://127.0.0.1:${port}/`, {}, { timeoutMs: 50 });
    expect(late).toEqual({ problem: 'no answer within 0.05 s', isGone: false });
    expect(await send('http://127.0.0.1:1/')).toEqual({ problem: 'no connection (ECONNREFUSED)', isGone: false });
    const resolve = (): Promise<never> =>
      Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
    expect(await send('http://no.example/', {}, { resolve })).toMatchObject({ problem: 'no connection (ENOTFOUND)' });
  });

  it('goes to no address of the own network, under whatever name, unless it is allowed', async () => {
    let count = 0;
    const port = await serverThat((_request, response) => {
      count += 1;
      response.end();
    });
    const address = (ip: string) => [{ address: ip, family: ip.includes(':') ? 6 : 4 }];
    const refused = { problem: expect.stringContaining('WEBHOOK_NETWORKS') as string };
    for (const host of [
      '127.0.0.1',
      '[::ffff:127.0.0.1]',
      '[::1]',
      '2130706433',
      '0x7f.1',
      '0.0.0.0',
      '169.254.169.254',
    ]) {
      expect([host, await send(`http://${host}:${port}/`, {}, { networks: [] })]).toMatchObject([host, refused]);
    }
    for (const ip of ['127.0.0.1', '10.0.0.1', '::1', 'fd00::1', '::ffff:10.0.0.1']) {
      const resolve = () => Promise.resolve([...address('93.184.216.34'), ...address(ip)]);
      const options = { networks: [], resolve };
      expect([ip, await send(`http://hook.example:${port}/`, {}, options)]).toMatchObject([ip, refused]);
    }
    expect(count).toBe(0);
    // The name resolves to another address each time: only the one that was checked is connected to.
    const answers = ['127.0.0.1', '10.0.0.1'];
    const resolve = () => Promise.resolve(address(answers.shift() ?? ''));
    expect(await send(`http://hook.example:${port}/`, {}, { resolve })).toBeUndefined();
    expect([count, answers]).toEqual([1, ['10.0.0.1']]);
  });

  it('knows which addresses are of the internet', () => {
    const internet = ['93.184.216.34', '2606:4700::1111', '::ffff:93.184.216.34'];
    const others = [
      ...[
        '10.0.0.1',
        '172.16.0.1',
        '192.168.1.1',
        '100.64.0.1',
        '169.254.1.1',
        '0.0.0.0',
        '224.0.0.1',
        '255.255.255.255',
      ],
      ...['::', '::1', 'fe80::1', 'fd00::1', 'ff02::1', '64:ff9b::a00:1', '2002:a00:1::', 'not an address'],
    ];
    expect(internet.filter((address) => !isAllowed(address, []))).toEqual([]);
    expect(others.filter((address) => isAllowed(address, []))).toEqual([]);
    expect(isAllowed('10.1.2.3', ['10.1.0.0/16'])).toBe(true);
    expect(isAllowed('::ffff:10.2.2.3', ['10.1.0.0/16', 'fd00::/8'])).toBe(false);
  });
});

describe('deliveries', () => {
  it('come again with the same id until they are taken, and are told apart by nothing else', async () => {
    const seen: string[] = [];
    const port = await serverThat((request, response) => {
      seen.push(headersOf(request)['webhook-id'] ?? '');
      response.writeHead(seen.length === 1 ? 500 : 200).end();
    });
    const told: string[] = [];
    const waiting = [deliveryTo(`http://127.0.0.1:${port}/`)];
    const deliveries = createDeliveries({
      networks: LOCAL,
      onProblem: (problem) => told.push(problem),
      webhooks: {
        takeDue: () => Promise.resolve(waiting.splice(0)),
        succeeded: (id) => Promise.resolve(void told.push(`${id} succeeded`)),
        failed(id, problem) {
          told.push(`${id} failed: ${problem}`);
          waiting.push(deliveryTo(`http://127.0.0.1:${port}/`));
          return Promise.resolve();
        },
      },
    });
    await deliveries.run();
    await deliveries.stop();
    expect(seen).toEqual(['msg_1', 'msg_1']);
    expect(told).toEqual(['msg_1 failed: it answered 500', 'msg_1 succeeded']);
  });
});
