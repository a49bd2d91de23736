import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  eventually,
  health,
  metric,
  outcomeOf,
  post,
  spawnService,
  startService,
  temporaryFolder,
  type ReadyService,
} from '../support/service.js';
import { harmlessText, KIND } from '../support/texts.js';

/** Two run, the others wait: work for seconds. */
const LONG_TEXTS = 6;

/** Sends long texts and waits until the service has taken them all on: as many run as there are threads, the others wait. */
async function takeOn(service: ReadyService, count: number, threads = 2): Promise<Promise<string>[]> {
  let answered = 0;
  const answers = Array.from({ length: count }, async (_, index) => {
    const response = await post(service, harmlessText(10_000, String(index)));
    answered += 1;
    return outcomeOf(response);
  });
  await eventually(
    () => metric(service.address, 'parapet_queue_waiting'),
    (waiting) => waiting + answered >= count - threads,
  );
  return answers;
}

/** A client that asks again and again until it cannot: what it was told, by whether it asked before the signal. */
async function ask(service: ReadyService, signalSent: () => boolean): Promise<{ before: string[]; after: string[] }> {
  const outcomes = { before: [] as string[], after: [] as string[] };
  for (let count = 0; ; count += 1) {
    const told = signalSent() ? outcomes.after : outcomes.before;
    try {
      told.push(await outcomeOf(await post(service, `${KIND} ${count}`)));
    } catch {
      told.push('no connection');
      return outcomes;
    }
  }
}

/** One text over a connection of its own. @returns the status, or why there was none */
function statusOf(service: ReadyService, content: string): Promise<number | string> {
  return new Promise((resolve) => {
    const headers = { 'X-API-Key': service.key, 'Content-Type': 'application/json' };
    const agent = new Agent({ maxSockets: 1 });
    request(`${service.address}/v1/analyze`, { method: 'POST', headers, agent }, (response) => {
      response.resume().on('close', () => resolve(response.statusCode ?? 'no status'));
    })
      .on('error', (error) => resolve('code' in error ? String(error.code) : error.message))
      .end(JSON.stringify({ content }));
  });
}

describe('a signal', () => {
  it('under load lets every accepted request be answered, refuses later ones, and ends with 0', async () => {
    const service = await startService({ INFERENCE_THREADS: '2', METRICS: 'public' });
    const accepted = await takeOn(service, LONG_TEXTS);
    let signalSent = false;
    const clients = Array.from({ length: 4 }, () => ask(service, () => signalSent));
    await eventually(
      () => metric(service.address, 'parapet_queue_waiting'),
      (waiting) => waiting >= LONG_TEXTS - 2,
    );
    signalSent = true;
    const { code, stderr } = await service.stop('SIGTERM');
    expect(await Promise.all(accepted)).toEqual(Array<string>(LONG_TEXTS).fill('200'));
    const told = await Promise.all(clients);
    for (const { before, after } of told) {
      // The last request before the signal may still have been on its way to the service when that came.
      expect(before.slice(0, -1).filter((outcome) => outcome !== '200')).toEqual([]);
      for (const outcome of [...before.slice(-1), ...after]) {
        expect(['200', '503 shutting_down', 'no connection']).toContain(outcome);
      }
    }
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(service.lines.some((line) => line.includes('"msg":"stopped"'))).toBe(true);
  });

  it('for the second time ends at once, with 1', async () => {
    const service = await startService({ INFERENCE_THREADS: '2', METRICS: 'public' });
    const answers = await takeOn(service, 30);
    const outcomes = Promise.allSettled(answers);
    service.child.kill('SIGINT');
    await service.line(/stopping: answering/);
    const begun = performance.now();
    const { code, stderr } = await service.stop('SIGINT');
    const tookMs = performance.now() - begun;
    console.info(`ended ${tookMs.toFixed(0)} ms after the second signal`);
    // Draining 30 long texts takes many seconds.
    expect(tookMs).toBeLessThan(5000);
    expect(stderr).toBe('');
    expect(code).toBe(1);
    // Whoever was not answered was not told a verdict.
    for (const outcome of await outcomes) {
      if (outcome.status === 'fulfilled') expect(['200', '503 shutting_down']).toContain(outcome.value);
    }
  });
});

/** Preloaded, it tells when the program listens for signals, which nothing of it can come before. */
const TELLS_WHEN_IT_LISTENS = `data:text/javascript,${encodeURIComponent(
  'process.on("newListener", (name) => name === "SIGHUP" && process.nextTick(console.log, "listens"));',
)}`;

describe('a signal in the first second', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s ends the process as a later one does', async (signal) => {
    const folder = temporaryFolder();
    const service = spawnService({
      KEYS_FILE: `${folder}/keys.json`,
      NODE_OPTIONS: `--import=${TELLS_WHEN_IT_LISTENS}`,
    });
    await service.line(/^listens$/);
    expect(await service.stop(signal)).toEqual({ code: 0, stderr: '' });
    // A quick start may have come further.
    expect(service.lines.filter((line) => line.includes('"msg":')).slice(-2)).toEqual([
      expect.stringContaining('stopping') as string,
      expect.stringContaining('stopped') as string,
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([0, 50, 150, 400, 800])('%i ms after the start leaves nothing half done', async (afterMs) => {
    const folder = temporaryFolder();
    const service = spawnService({ KEYS_FILE: `${folder}/keys.json`, SHUTDOWN_TIMEOUT_SECONDS: '60' });
    await setTimeout(afterMs);
    const { code, stderr } = await service.stop();
    // Before the program has begun it is the system that ends the process.
    expect(code ?? service.child.signalCode).toBe(service.lines.length > 0 ? 0 : 'SIGTERM');
    expect(stderr).toBe('');
    expect(readdirSync(folder)).toEqual([]);
  });
});

const UNFINISHED = [
  '',
  'GET /v1/health HTTP/1.1\r\nHost: x\r\n',
  'POST /v1/analyze HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
];

describe('a stop', () => {
  it('while the model loads ends with 0', async () => {
    const service = spawnService({ KEYS_FILE: `${temporaryFolder()}/keys.json` });
    await service.listening;
    expect(await service.stop()).toEqual({ code: 0, stderr: '' });
  });

  it('gives up after SHUTDOWN_TIMEOUT_SECONDS, with 1', async () => {
    const service = await startService({
      INFERENCE_THREADS: '1',
      METRICS: 'public',
      SHUTDOWN_TIMEOUT_SECONDS: '1',
    });
    const outcomes = Promise.allSettled(await takeOn(service, 30, 1));
    expect(await service.stop()).toEqual({ code: 1, stderr: '' });
    await outcomes;
  });

  it('with SHUTDOWN_DELAY_SECONDS tells balancers first, and judges until they have turned elsewhere', async () => {
    const service = await startService({ INFERENCE_THREADS: '1', SHUTDOWN_DELAY_SECONDS: '2' });
    const { address } = service;
    const stopped = service.stop();
    await service.line(/stopping: answering/);
    expect(await health(address)).toEqual({ code: 503, status: 'unhealthy' });
    const verdict = await post(service, KIND);
    expect([verdict.status, verdict.headers.get('connection')]).toEqual([200, 'close']);
    expect(await stopped).toEqual({ code: 0, stderr: '' });
  });

  it('answers whoever was about to connect or to ask', async () => {
    const service = await startService({ INFERENCE_THREADS: '2' });
    const ask = (count: number, from: string): Promise<number | string>[] =>
      Array.from({ length: count }, (_, index) => statusOf(service, `${KIND} ${from} ${index}`));
    const before = ask(150, 'before');
    await Promise.race(before);
    // These have hardly begun to connect when the service is told to stop.
    const meanwhile = ask(150, 'meanwhile');
    const { code } = await service.stop();
    const told = await Promise.all([...before, ...meanwhile]);
    expect(told.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(told).toContain(503);
    expect(code).toBe(0);
  });

  it('does not wait for connections that send nothing, half of their headers or half of their body', async () => {
    const service = await startService({ INFERENCE_THREADS: '1' });
    const { hostname, port } = new URL(service.address);
    const sockets = await Promise.all(
      UNFINISHED.map(async (bytes) => {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => undefined).resume();
        await once(socket, 'connect');
        if (bytes !== '') await new Promise((resolve) => socket.write(bytes, resolve));
        return socket;
      }),
    );
    // The service has seen them when it answers another that came later.
    await fetch(`${service.address}/v1/health`);
    const begun = performance.now();
    expect(await service.stop()).toEqual({ code: 0, stderr: '' });
    // Far less than SHUTDOWN_TIMEOUT_SECONDS.
    expect(performance.now() - begun).toBeLessThan(10_000);
    for (const socket of sockets) socket.destroy();
  });
});
