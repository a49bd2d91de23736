/** Promises of the service with a database: it starts on its own schema alone, says how it is, and goes on when the database comes back. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtUrl } from '../support/built.js';
import { hasPostgres, PASSWORD, startPostgres, type PostgresServer } from '../support/servers/postgres.js';
import { analyze, killAfterTest, post, spawnService, startService, temporaryFolder } from '../support/service.js';

const GRACE_SECONDS = 5;

async function parapet(databaseUrl: string, ...argv: string[]): Promise<string> {
  const child = spawn(process.execPath, [fileURLToPath(builtUrl('cli/parapet.js')), ...argv], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (child.exitCode !== 0) throw new Error(`parapet ${argv.join(' ')} ended with ${child.exitCode}: ${stderr}`);
  return stdout;
}

describe.skipIf(!hasPostgres)('the service with a database', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.close());

  it('asks for the migration, and shares keys with the commands; while the database is away it is healthy for the grace', async () => {
    await server.run(server.urlOf('postgres'), 'create database service');
    await server.endAdmins();
    const databaseUrl = server.urlOf('service');
    const file = join(temporaryFolder(), 'database-url');
    writeFileSync(file, databaseUrl);
    const settings = {
      DATABASE_URL_FILE: file,
      STORE_GRACE_SECONDS: String(GRACE_SECONDS),
      METRICS: 'public',
      INFERENCE_THREADS: '1',
    };
    const refused = spawnService(settings);
    expect(await refused.exit).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('npx parapet migrate') as string,
    });

    expect(await parapet(databaseUrl, 'migrate')).toContain('0001-store');
    const made = async () => {
      const argv = ['keys', 'create', '--project', 'shop', '--name', 'backend', '--json'];
      return JSON.parse(await parapet(databaseUrl, ...argv)) as { key: string; id: string };
    };
    const [kept, revoked] = [await made(), await made()];
    const service = spawnService(settings);
    killAfterTest(service);
    const address = await service.ready;
    const told: string[] = [];
    const health = async () => {
      const answer = await fetch(`${address}/v1/health`);
      return ((await answer.json()) as { status: string }).status;
    };
    const valueOf = async (metric: string) => {
      const exposition = await (await fetch(`${address}/metrics`)).text();
      told.push(exposition);
      return Number(new RegExp(`^${metric} (.+)$`, 'm').exec(exposition)?.[1]);
    };
    const codeOf = async (key: string) => {
      const answer = await post({ address, key }, 'hello');
      const body = (await answer.json()) as { code?: string };
      told.push(JSON.stringify(body));
      return body.code ?? answer.status;
    };
    for (const { key } of [kept, revoked])
      expect(await analyze({ address, key }, 'hello')).toMatchObject({ passed: true });
    await parapet(databaseUrl, 'keys', 'revoke', revoked.id);
    expect([await codeOf(revoked.key), await codeOf(kept.key)]).toEqual(['unauthorized', 200]);
    expect([await health(), await valueOf('parapet_store_up')]).toEqual(['healthy', 1]);

    await server.stop();
    expect([await codeOf(kept.key), await health()]).toEqual([200, 'healthy']);
    expect(await valueOf('parapet_store_up')).toBe(0);
    while ((await health()) === 'healthy') await delay(50);
    expect([await codeOf(kept.key), await codeOf(revoked.key)]).toEqual(['keys_unavailable', 'keys_unavailable']);
    expect(await valueOf('parapet_store_age_seconds')).toBeGreaterThanOrEqual(GRACE_SECONDS);

    await server.start();
    while ((await health()) !== 'healthy') await delay(50);
    expect([await codeOf(kept.key), await codeOf(revoked.key)]).toEqual([200, 'unauthorized']);

    const { code, stderr } = await service.stop();
    expect(code).toBe(0);
    const said = [...service.lines, stderr, ...told].join('\n');
    expect(said).toContain(`PostgreSQL at 127.0.0.1:${server.port}`);
    for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), kept.key]) expect(said).not.toContain(secret);
  });
});

describe('the service without a database', () => {
  it('loads nothing of it', async () => {
    const hook = `export async function load(url, context, next) { process._rawDebug('loaded ' + url); return next(url, context); }`;
    const register = `import { register } from 'node:module'; register('data:text/javascript,${encodeURIComponent(hook).replaceAll("'", '%27')}');`;
    const service = await startService({
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(register)}`,
    });
    await analyze(service, 'hello');
    const { stderr } = await service.stop();
    const loaded = stderr.split('\n').filter((line) => line.startsWith('loaded '));
    expect(loaded.filter((line) => line.includes('/storage/'))).not.toEqual([]);
    const root = fileURLToPath(new URL('../..', import.meta.url));
    expect(loaded.filter((line) => line.replace(root, '').includes('/postgres/'))).toEqual([]);
  });
});
