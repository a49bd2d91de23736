/** Rate limits that several servers have in common, on a real Redis and PostgreSQL: exact while it answers, local and quick while it does not. */
import { execFileSync, fork } from 'node:child_process';
import { on } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createRateLimiter, type RateLimiter } from '../../src/http/auth/rate-limit.js';
import { openSharing, type Sharing, type SharingOptions } from '../../src/sharing/sharing.js';
import { builtUrl } from '../support/built.js';
import { hasPostgres, startPostgres } from '../support/servers/postgres.js';
import { temporaryFolder } from '../support/service.js';
import { hasValkey, startValkey } from '../support/servers/valkey.js';

const PLENTY = 1_000_000;
const ALONE = { valkeyUrl: undefined, databaseUrl: undefined, sharedCache: false };

/** What counts for all servers. */
interface CountingServer {
  readonly place: Omit<SharingOptions, 'onProblem'>;
  kill(): Promise<void>;
  start(): Promise<void>;
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

const KINDS: [string, boolean, () => Promise<CountingServer>][] = [
  [
    'Redis',
    hasValkey,
    async () => {
      const valkey = await startValkey();
      return { ...valkey, place: { ...ALONE, valkeyUrl: valkey.url }, close: () => valkey.kill() };
    },
  ],
  [
    'PostgreSQL',
    hasPostgres,
    async () => {
      const postgres = await startPostgres();
      return {
        ...postgres,
        place: { ...ALONE, databaseUrl: await postgres.freshDatabase() },
        kill: () => postgres.stop(),
      };
    },
  ],
];

interface Server {
  readonly limiter: RateLimiter;
  readonly sharing: Sharing;
  readonly problems: (string | undefined)[];
}

/** One server's side of it. */
async function startServer(place: CountingServer['place']): Promise<Server> {
  const problems: (string | undefined)[] = [];
  const sharing = await openSharing({ ...place, onProblem: (problem) => problems.push(problem) });
  onTestFinished(() => sharing.close());
  sharing.connect();
  return { limiter: createRateLimiter(sharing.createCounter('key')), sharing, problems };
}

async function untilShared({ limiter, sharing }: Server): Promise<void> {
  for (let alone = -1; alone !== sharing.limits.countedAlone();) {
    alone = sharing.limits.countedAlone();
    await limiter.take('warm-up', PLENTY);
    await wait(20);
  }
}

describe.each(KINDS)('limits that servers share in %s', (_kind, isThere, startCounting) => {
  if (!isThere) {
    it.skip('are tested where it is installed', () => undefined);
    return;
  }
  let counting: CountingServer;
  beforeAll(async () => {
    counting = await startCounting();
  });
  afterAll(() => counting.close());

  async function startServers(count: number): Promise<Server[]> {
    const servers = await Promise.all(Array.from({ length: count }, () => startServer(counting.place)));
    await Promise.all(servers.map(untilShared));
    return servers;
  }

  it('hold within 5 % of one key at three servers under load, and all callers are told what is left', async () => {
    const servers = await startServers(3);
    const ask = async ({ limiter }: Server) => {
      const decisions = [];
      for (let request = 0; request < 400; request += 1) {
        decisions.push(...(await Promise.all(Array.from({ length: 5 }, () => limiter.take('loaded', 1000)))));
      }
      return decisions;
    };
    const decisions = (await Promise.all(servers.map(ask))).flat();
    expect(decisions).toHaveLength(6000);
    const allowed = decisions.filter((decision) => decision?.allowed);
    expect(allowed.length).toBeGreaterThanOrEqual(1000);
    expect(allowed.length).toBeLessThanOrEqual(1050);
    expect(new Set(allowed.map((decision) => decision?.remaining)).size).toBeGreaterThanOrEqual(950);
    expect(Math.min(...allowed.map((decision) => decision?.resetSeconds ?? 0))).toBeGreaterThan(20);
    for (const { limiter } of servers) {
      expect(await limiter.take('loaded', 1000)).toMatchObject({ allowed: false, remaining: 0 });
    }
  });

  it('refuse a batch that is too large whole, and give back what it took', async () => {
    const [one, other] = await startServers(2);
    expect(await one?.limiter.take('batches', 100, 70)).toMatchObject({ allowed: true, remaining: 30 });
    expect(await other?.limiter.take('batches', 100, 50)).toMatchObject({ allowed: false, remaining: 30 });
    expect(await one?.limiter.take('batches', 100, 30)).toMatchObject({ allowed: true, remaining: 0 });
  });

  it('are counted by each server alone while it is gone, without waiting, and together again when it is back', async () => {
    const server = await startServer(counting.place);
    await untilShared(server);
    await server.limiter.take('gone', 3, 3);
    await counting.kill();
    const waited = await msOfEach(server.limiter, 1_000);
    expect(Math.max(...waited)).toBeLessThan(150);
    expect(await server.limiter.take('gone', 3)).toMatchObject({ allowed: true, remaining: 2 });
    expect(server.sharing.limits.isAway()).toBe(true);
    expect(server.problems).toHaveLength(1);
    await counting.start();
    await untilShared(server);
    expect(server.sharing.limits.isAway()).toBe(false);
    expect(server.problems.slice(1)).toEqual([undefined]);
  });

  it('cost a request no more than the deadline while it hangs, and soon nothing', async () => {
    const server = await startServer(counting.place);
    await untilShared(server);
    counting.freeze();
    const waited = await msOfEach(server.limiter, 3_000);
    expect(Math.max(...waited)).toBeLessThan(150);
    // Beside a quarter of a second at the beginning, one question a second at most.
    expect(waited.filter((ms) => ms > 40).length).toBeLessThan(12);
    expect(server.problems).toHaveLength(1);
    counting.thaw();
    await untilShared(server);
    expect(server.problems.slice(1)).toEqual([undefined]);
  });
});

describe('limits that servers are to share', () => {
  it.skipIf(!hasValkey)('are counted alone where the password is wrong, which is told without it', async () => {
    const valkey = await startValkey('--requirepass', ['right', 'one'].join('-'));
    onTestFinished(() => valkey.kill());
    const valkeyUrl = valkey.url.replace('://', `://:${['wrong', 'one'].join('-')}@`);
    const { limiter, problems } = await startServer({ ...ALONE, valkeyUrl });
    while (problems.length === 0) {
      expect(await limiter.take('key_a', PLENTY)).toMatchObject({ allowed: true });
      await wait(20);
    }
    expect(problems).toEqual(['WRONGPASS']);
  });

  it('are counted alone where the address leads nowhere', async () => {
    const { limiter, problems } = await startServer({ ...ALONE, valkeyUrl: 'redis://127.0.0.1:1' });
    while (problems.length === 0) {
      expect(await limiter.take('key_a', PLENTY)).toMatchObject({ allowed: true });
      await wait(20);
    }
    expect(problems).toEqual(['ECONNREFUSED']);
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
    onTestFinished(() => {
      primary.disconnect();
    });
    const counts: number[] = [];
    for await (const [message] of on(primary, 'message') as AsyncIterable<[{ allowed: number }]>) {
      if (counts.push(message.allowed) === 3) break;
    }
    expect(counts.reduce((sum, count) => sum + count)).toBe(300);
  });
});

/** Loads the service as it is without any of these settings, and says which of its packages are of servers. */
const ALONE_LOADS = `
  import { createRequire } from 'node:module';
  await import('${builtUrl('app.js').href}');
  const { openSharing } = await import('${builtUrl('sharing/sharing.js').href}');
  await (await openSharing({ sharedCache: false, onProblem: () => undefined })).createCounter('key').consume('a');
  const loaded = Object.keys(createRequire(import.meta.url).cache).filter((file) => /node_modules.(iovalkey|postgres|ioredis)/.test(file));
  process.stdout.write(JSON.stringify(loaded));
`;

describe('limits of one server', () => {
  it('load no driver of any server', () => {
    expect(execFileSync(process.execPath, ['--input-type=module', '--eval', ALONE_LOADS], { encoding: 'utf8' })).toBe(
      '[]',
    );
  });
});

/** How long each of the questions of so many milliseconds took. */
async function msOfEach(limiter: RateLimiter, forMs: number): Promise<readonly number[]> {
  const waited: number[] = [];
  const until = Date.now() + forMs;
  while (Date.now() < until) {
    const begun = performance.now();
    await limiter.take('others', PLENTY);
    waited.push(performance.now() - begun);
    await wait(1);
  }
  return waited;
}
