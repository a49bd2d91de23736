/** Promises of `parapet start --processes`: one service in several processes, of which one may die. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import {
  createKey,
  eventually,
  outcomeOf,
  post,
  startService,
  type Environment,
  type ReadyService,
} from '../support/service.js';
import { harmlessText, KIND } from '../support/texts.js';

const readyLine = z.object({ msg: z.literal('ready'), pid: z.int() });

/** Of the processes, in the order in which they became ready. */
function pidsOf({ lines }: ReadyService): number[] {
  return lines.flatMap((line) => readyLine.safeParse(JSON.parse(line)).data?.pid ?? []);
}

async function untilReady(service: ReadyService, count: number): Promise<number[]> {
  return eventually(
    () => Promise.resolve(pidsOf(service)),
    (pids) => pids.length >= count,
  );
}

async function startTwo(settings: Environment = {}): Promise<ReadyService> {
  const entry = ['cli/parapet.js', 'start', '--processes', '2'];
  const service = await startService({ INFERENCE_THREADS: '2', ...settings }, undefined, entry);
  await untilReady(service, 2);
  return service;
}

/** By process, the value of a series that begins so. */
function valuesIn(page: string, series: string): ReadonlyMap<string, number> {
  const lines = page.split('\n').filter((line) => line.startsWith(series));
  return new Map(
    lines.map((line) => [/process="(\d+)"/.exec(line)?.[1] ?? '', Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

const metricsAt = async (address: string): Promise<string> => (await fetch(`${address}/metrics`)).text();

/** Over the agent's connection. @returns the status, or why there is none */
function statusOf(service: ReadyService, agent: Agent, content?: string): Promise<number | string> {
  const [method, path] = content === undefined ? ['GET', '/v1/health'] : ['POST', '/v1/analyze'];
  return new Promise((resolve) => {
    const headers = { 'X-API-Key': service.key, 'Content-Type': 'application/json' };
    request(service.address + path, { method, headers, agent }, (response) => {
      response.resume().on('close', () => resolve(response.statusCode ?? 'no status'));
    })
      .on('error', (error) => resolve('code' in error ? String(error.code) : error.message))
      .end(content && JSON.stringify({ content }));
  });
}

describe('of two processes, one that is killed under load', () => {
  it.each([
    ['connections that are kept', true],
    ['a connection for each request', false],
  ])('loses only what it had in hand, and another takes its place: %s', async (_kind, keepAlive) => {
    const service = await startTwo({ METRICS: 'public', RATE_LIMIT_PER_MINUTE: '0' });
    const [, victim = 0] = pidsOf(service);
    let isOver = false;
    /** A client that asks again and again: what it was told. */
    const ask = async (content?: string): Promise<(number | string)[]> => {
      const agent = new Agent({ keepAlive, maxSockets: 1 });
      const told: (number | string)[] = [];
      while (!isOver) told.push(await statusOf(service, agent, content && `${content} ${told.length}`));
      agent.destroy();
      return told;
    };
    const clients = [...Array.from({ length: 16 }, (_, index) => ask(`${KIND} ${index}`)), ask()];
    const answered = async (): Promise<ReadonlyMap<string, number>> =>
      valuesIn(await metricsAt(service.address), 'parapet_stage_duration_seconds_count{stage="infer"');
    await eventually(answered, (counts) => counts.size === 2 && [...counts.values()].every((count) => count > 20));
    process.kill(victim, 'SIGKILL');
    const [, , successor] = await untilReady(service, 3);
    expect(successor).not.toBe(victim);
    isOver = true;
    const lost = (await Promise.all(clients)).map((told) => told.filter((answer) => answer !== 200));
    // Of a client one request at most was in hand, and not all were with that process.
    expect(lost.filter((each) => each.length > 1 || each.some((answer) => typeof answer === 'number'))).toEqual([]);
    expect(lost.flat().length).toBeLessThan(clients.length);
    const before = (await answered()).get('2') ?? 0;
    for (let index = 0; index < 4; index += 1) {
      expect(await statusOf(service, new Agent(), `${KIND} afterwards ${index}`)).toBe(200);
    }
    expect((await answered()).get('2')).toBeGreaterThan(before);
    expect(service.stderr()).toMatch(/^parapet: process 2 ended by SIGKILL; another takes its place in [\d.]+ s\n$/);
    expect((await service.stop()).code).toBe(0);
  });
});

it('one that ends and cannot start again is tried later and later, while the other answers, and is back once that is mended', async () => {
  const service = await startTwo();
  const [, victim = 0] = pidsOf(service);
  const good = readFileSync(service.keysFile);
  process.kill(victim, 'SIGTERM');
  await service.line(/"msg":"stopped"/);
  writeFileSync(service.keysFile, '{');
  const delays = await eventually(
    () => Promise.resolve([...service.stderr().matchAll(/place in ([\d.]+) s/g)].map(([, seconds]) => Number(seconds))),
    (found) => found.length >= 4,
  );
  expect(delays).toEqual([...new Set(delays)].sort((one, other) => one - other));
  expect(service.stderr()).toMatch(/^parapet: process 2 ended with 0;[^]*damaged/);
  writeFileSync(service.keysFile, good);
  await untilReady(service, 3);
  expect(await outcomeOf(await post(service, KIND))).toBe('200');
});

it('SIGTERM lets both processes answer what was accepted', async () => {
  const service = await startTwo();
  const answers = Array.from({ length: 8 }, async (_, index) =>
    outcomeOf(await post(service, harmlessText(5000, String(index)))),
  );
  await service.line(/"status":200/);
  expect(await service.stop()).toEqual({ code: 0, stderr: '' });
  expect(await Promise.all(answers)).toEqual(Array<string>(8).fill('200'));
  expect(service.lines.filter((line) => line.includes('"msg":"stopped"'))).toHaveLength(2);
});

it('processes whose supervisor is killed answer what was accepted, and end', async () => {
  const service = await startTwo();
  const answers = Array.from({ length: 6 }, async (_, index) =>
    outcomeOf(await post(service, harmlessText(5000, String(index)))),
  );
  await service.line(/"status":200/);
  service.child.kill('SIGKILL');
  expect(await Promise.all(answers)).toEqual(Array<string>(6).fill('200'));
  // Their output is closed.
  await service.exit;
});

it('a limit is one for both', async () => {
  const service = await startTwo();
  const { key } = await createKey(service.keysFile, { rateLimitPerMinute: 5 });
  const told: (number | string)[] = [];
  for (let index = 0; index < 12; index += 1) {
    told.push(await statusOf({ ...service, key }, new Agent(), `${KIND} ${index}`));
  }
  expect(told).toEqual([...Array<number>(5).fill(200), ...Array<number>(7).fill(429)]);
});

it('metrics on a port of their own tell of both processes, each by itself, and settings of amounts are shared out', async () => {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const address = free.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  free.close();
  const service = await startTwo({ METRICS: port, INFERENCE_THREADS: '3', MAX_QUEUE: '10' });
  onTestFinished(() => void service.stop());
  for (let index = 0; index < 6; index += 1) await statusOf(service, new Agent(), `${KIND} ${index}`);
  const page = await metricsAt(`http://127.0.0.1:${port}`);
  const counts = valuesIn(page, 'parapet_verdicts_total{band="Safe",passed="true",cached="false"');
  expect([...counts.keys()].sort()).toEqual(['1', '2']);
  expect([...counts.values()]).toEqual([3, 3]);
  expect(valuesIn(page, 'parapet_workers{')).toEqual(
    new Map([
      ['1', 1],
      ['2', 1],
    ]),
  );
  expect(valuesIn(page, 'parapet_queue_limit{')).toEqual(
    new Map([
      ['1', 5],
      ['2', 5],
    ]),
  );
  expect(page.match(/^# TYPE parapet_verdicts_total /gm)).toHaveLength(1);
  expect(valuesIn(page, 'process_start_time_seconds{').size).toBe(2);
});
