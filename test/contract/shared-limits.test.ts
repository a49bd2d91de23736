/** Rate limits that several servers have in common, on a real Redis: exact while it answers, local and quick while it does not. */
import { fork } from 'node:child_process';
import { on } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRateLimiter, type RateLimiter } from '../../src/http/auth/rate-limit.js';
import { openSharing, type Sharing } from '../../src/sharing/sharing.js';
import { builtUrl } from '../support/built.js';
import { temporaryFolder } from '../support/service.js';
import { hasValkey, startValkey } from '../support/valkey.js';

const PLENTY = 1_000_000;

interface Server {
  readonly limiter: RateLimiter;
  readonly sharing: Sharing;
  readonly problems: (string | undefined)[];
}

/** One server's side of it, connected. */
async function startServer(valkeyUrl: string): Promise<Server> {
  const problems: (string | undefined)[] = [];
  const sharing = await openSharing({ valkeyUrl, onProblem: (problem) => problems.push(problem) });
  onTestFinished(() => sharing.close());
  sharing.connect();
  const limiter = createRateLimiter(sharing.createCounter('key'));
  await untilShared({ limiter, sharing });
  return { limiter, sharing, problems };
}

async function untilShared({ limiter, sharing }: Pick<Server, 'limiter' | 'sharing'>): Promise<void> {
  for (;;) {
    const alone = sharing.limits.countedAlone();
    await limiter.take('warm-up', PLENTY);
    if (sharing.limits.countedAlone() === alone) return;
    await wait(20);
  }
}

describe.skipIf(!hasValkey())('limits that servers share', () => {
  it('let through exactly so many of one key at three servers under load, and tell all callers what is left', async () => {
    const { url } = await startValkey();
    const servers = await Promise.all([url, url, url].map(startServer));
    const ask = async ({ limiter }: Server) => {
      const decisions = [];
      for (let request = 0; request < 400; request += 1) {
        decisions.push(...(await Promise.all(Array.from({ length: 5 }, () => limiter.take('key_a', 1000)))));
      }
      return decisions;
    };
    const decisions = (await Promise.all(servers.map(ask))).flat();
    expect(decisions).toHaveLength(6000);
    const allowed = decisions.filter((decision) => decision?.allowed);
    expect(allowed).toHaveLength(1000);
    expect(new Set(allowed.map((decision) => decision?.remaining)).size).toBe(1000);
    expect(Math.min(...allowed.map((decision) => decision?.resetSeconds ?? 0))).toBeGreaterThan(20);
    for (const { limiter } of servers) {
      expect(await limiter.take('key_a', 1000)).toMatchObject({ allowed: false, remaining: 0 });
    }
  });

  it('refuse a batch that is too large whole, and give back what it took', async () => {
    const { url } = await startValkey();
    const [one, other] = await Promise.all([startServer(url), startServer(url)]);
    expect(await one.limiter.take('key_a', 100, 70)).toMatchObject({ allowed: true, remaining: 30 });
    expect(await other.limiter.take('key_a', 100, 50)).toMatchObject({ allowed: false, remaining: 30 });
    expect(await one.limiter.take('key_a', 100, 30)).toMatchObject({ allowed: true, remaining: 0 });
  });

  it('are counted by each server alone while Redis is gone, without waiting, and together again when it is back', async () => {
    const valkey = await startValkey();
    const server = await startServer(valkey.url);
    await server.limiter.take('key_a', 3, 3);
    await valkey.kill();
    expect(await longestOf(server.limiter)).toBeLessThan(45);
    const alone = await server.limiter.take('key_a', 3);
    expect(alone).toMatchObject({ allowed: true, remaining: 2 });
    await wait(300);
    await server.limiter.take('key_b', PLENTY);
    expect(server.sharing.limits.isAway()).toBe(true);
    expect(server.problems.at(-1)).toMatch(/^[A-Z]+$/);
    await valkey.start();
    await untilShared(server);
    expect(server.sharing.limits.isAway()).toBe(false);
    expect(server.problems.at(-1)).toBeUndefined();
  });

  it('cost a request no more than the deadline while Redis hangs, and soon nothing', async () => {
    const valkey = await startValkey();
    const server = await startServer(valkey.url);
    valkey.signal('SIGSTOP');
    const until = Date.now() + 3_000;
    const waited: number[] = [];
    while (Date.now() < until) waited.push(await msOf(server.limiter.take('key_b', PLENTY)), await msOf(wait(1)));
    expect(Math.max(...waited)).toBeLessThan(150);
    // Beside a quarter of a second at the beginning, one question a second at most.
    expect(waited.filter((ms) => ms > 40).length).toBeLessThan(12);
    expect(server.problems).toEqual([expect.stringMatching(/no answer/)]);
    valkey.signal('SIGCONT');
    await untilShared(server);
    expect(server.problems.at(-1)).toBeUndefined();
  });

  it('are counted alone where the address leads nowhere, and where the password is wrong, which is told without it', async () => {
    const { url } = await startValkey('--requirepass', ['right', 'one'].join('-'));
    const problems: (string | undefined)[] = [];
    const password = ['wrong', 'one'].join('-');
    for (const valkeyUrl of [url.replace('://', `://:${password}@`), 'redis://127.0.0.1:1']) {
      const sharing = await openSharing({ valkeyUrl, onProblem: (problem) => problems.push(problem) });
      onTestFinished(() => sharing.close());
      const limiter = createRateLimiter(sharing.createCounter('key'));
      sharing.connect();
      const told = problems.length;
      while (problems.length === told) {
        expect(await limiter.take('key_a', PLENTY)).toMatchObject({ allowed: true });
        await wait(20);
      }
    }
    expect(problems).toEqual(['WRONGPASS', 'ECONNREFUSED']);
  });
});

/** The primary counts, and each of three processes says how many of its 400 requests were let through. */
const CLUSTER = `
  import cluster from 'node:cluster';
  import { createRateLimiter } from '${builtUrl('http/auth/rate-limit.js').href}';
  import { openSharing } from '${builtUrl('sharing/sharing.js').href}';
  import { countForProcesses } from '${builtUrl('sharing/cluster-counters.js').href}';
  if (cluster.isPrimary) {
    countForProcesses();
    const workers = [1, 2, 3].map(() => cluster.fork());
    for (const worker of workers) worker.on('message', ({ allowed }) => allowed !== undefined && process.send({ allowed }));
    process.on('disconnect', () => process.exit());
  } else {
    const sharing = await openSharing({ onProblem: () => undefined });
    const limiter = createRateLimiter(sharing.createCounter('key'));
    for (let alone = -1; alone !== sharing.limits.countedAlone(); await limiter.take('warm-up', 1_000_000)) {
      alone = sharing.limits.countedAlone();
    }
    let allowed = 0;
    for (let request = 0; request < 400; request += 1) if ((await limiter.take('key_a', 300)).allowed) allowed += 1;
    process.send({ allowed });
  }
`;

describe('limits of the processes of one machine', () => {
  it('are counted together by their primary', async () => {
    const file = join(temporaryFolder(), 'cluster.mjs');
    writeFileSync(file, CLUSTER);
    const primary = fork(file);
    onTestFinished(() => primary.disconnect());
    const counts: number[] = [];
    for await (const [message] of on(primary, 'message') as AsyncIterable<[{ allowed: number }]>) {
      if (counts.push(message.allowed) === 3) break;
    }
    expect(counts.reduce((sum, count) => sum + count)).toBe(300);
  });
});

async function msOf(promise: Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await promise;
  return performance.now() - begun;
}

async function longestOf(limiter: RateLimiter): Promise<number> {
  const waited: number[] = [];
  for (let request = 0; request < 100; request += 1) waited.push(await msOf(limiter.take('key_b', PLENTY)));
  return Math.max(...waited);
}
