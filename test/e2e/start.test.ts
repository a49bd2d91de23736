import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { alterOneByte, copyModel } from '../support/model-copy.js';
import {
  analyze,
  createKey,
  eventually,
  health,
  keysCommand,
  killAfterTest,
  spawnService,
  startService,
  temporaryFolder,
  type Environment,
} from '../support/service.js';
import { KIND } from '../support/texts.js';

describe('starting', () => {
  it('is ready within seconds', async () => {
    const keysFile = join(temporaryFolder(), 'keys.json');
    const begun = performance.now();
    const service = spawnService({ KEYS_FILE: keysFile });
    killAfterTest(service);
    await service.ready;
    const tookMs = performance.now() - begun;
    console.info(`ready after ${tookMs.toFixed(0)} ms`);
    expect(tookMs).toBeLessThan(10_000);
  });

  it('says "starting" until it can answer, and then "healthy"', async () => {
    const service = spawnService({ KEYS_FILE: join(temporaryFolder(), 'keys.json') });
    killAfterTest(service);
    const address = await service.listening;
    const seen: string[] = [];
    await eventually(
      () => health(address),
      ({ code, status }) => {
        seen.push(`${code} ${status}`);
        return status === 'healthy';
      },
    );
    expect(seen[0]).toBe('503 starting');
    expect([...new Set(seen)]).toEqual(['503 starting', '200 healthy']);
  });

  it('works without any key file and accepts a key that is made later', async () => {
    const keysFile = join(temporaryFolder(), 'keys.json');
    const service = spawnService({ KEYS_FILE: keysFile });
    killAfterTest(service);
    const address = await service.ready;
    const { key } = await createKey(keysFile);
    expect(await analyze({ address, key }, KIND)).toMatchObject({ passed: true });
  });
});

const WARNING = 40;
const logLine = z.object({ level: z.number(), msg: z.string() });

describe('a start without a key', () => {
  it.each([
    ['no key at all', [], 1],
    ['a revoked key', ['revoke'], 1],
    ['a key', [], 0],
  ] as const)('with %s says so only if there is none, and how to make one', async (kind, commands, warnings) => {
    const keysFile = join(temporaryFolder(), 'keys.json');
    const made = kind === 'no key at all' ? undefined : await createKey(keysFile);
    for (const command of commands) await keysCommand(keysFile, command, made?.id ?? '');
    const service = spawnService({ KEYS_FILE: keysFile });
    killAfterTest(service);
    await service.ready;
    const warned = service.lines
      .map((line) => logLine.parse(JSON.parse(line)))
      .filter(({ level, msg }) => level === WARNING && msg.includes('npm run --silent keys -- create'));
    expect(warned).toHaveLength(warnings);
    expect(service.lines.join('')).not.toContain(made?.key ?? 'sk_live_');
  });
});

/** Ends with 1 and one message that has all these words, in this order; nothing keeps running, nothing was written. */
async function expectRefusal(settings: Environment, ...words: string[]): Promise<void> {
  const keysFile = join(temporaryFolder(), 'keys.json');
  const service = spawnService({ KEYS_FILE: keysFile, ...settings });
  killAfterTest(service);
  const { code, stderr } = await service.exit;
  expect(stderr).toMatch(new RegExp(`^parapet: ${words.join('[^]*')}`));
  expect(stderr).not.toMatch(/^ {4}at /m);
  expect(stderr.match(/parapet:/g)).toHaveLength(1);
  expect(code).toBe(1);
  expect(service.lines.filter((line) => line.includes('"msg":"ready"'))).toEqual([]);
  expect(existsSync(keysFile)).toBe(false);
}

describe('what stands in the way of a start is said in one message', () => {
  it('wrong settings, all of them', () =>
    expectRefusal(
      { PORT: 'eighty', MAX_QUEUE: '-1', BLOCK_CATEGORIES: 'threat,rudeness', METRICS: 'yes' },
      'Wrong settings',
      'PORT="eighty"',
      'whole number',
      'MAX_QUEUE="-1"',
      'BLOCK_CATEGORIES=',
      'METRICS="yes"',
    ));

  it('a missing model folder', () =>
    expectRefusal({ MODEL_DIR: '/nowhere/model' }, '.*/nowhere/model/manifest.json', 'ENOENT', 'MODEL_DIR'));

  it.each(['model.onnx', 'tokenizer.json'])('an altered %s', async (file) => {
    const folder = copyModel();
    alterOneByte(join(folder, file));
    await expectRefusal({ MODEL_DIR: folder }, `.*${file}`, 'SHA-256', 'Restore');
  });

  it('a model file that is gone', async () => {
    const folder = copyModel();
    rmSync(join(folder, 'model.onnx'));
    await expectRefusal({ MODEL_DIR: folder }, '.*model.onnx', 'ENOENT', 'Restore');
  });

  it('a damaged key file, which it leaves alone', async () => {
    const keysFile = join(temporaryFolder(), 'damaged.json');
    writeFileSync(keysFile, '{"version": 1, "keys": [');
    await expectRefusal({ KEYS_FILE: keysFile }, '.*damaged.json', 'damaged', 'backup');
    expect(readFileSync(keysFile, 'utf8')).toBe('{"version": 1, "keys": [');
  });

  it.skipIf(process.platform === 'win32')('a FIFO as key file, which no command waits for either', async () => {
    const keysFile = join(temporaryFolder(), 'fifo.json');
    spawnSync('mkfifo', [keysFile]);
    await expectRefusal({ KEYS_FILE: keysFile }, '.*fifo.json is a FIFO and not a regular file');
    for (const argv of [['list'], ['create', '--project', 'shop', '--name', 'backend'], ['revoke', 'key_a']]) {
      await expect(keysCommand(keysFile, ...argv)).rejects.toThrow(/ended with 2: .*fifo.json is a FIFO/);
    }
  });

  it('a taken port', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    await expectRefusal({ PORT: port }, `.*${port}`, 'another process', 'PORT');
  });

  it('a taken port of the metrics', async () => {
    const other = await startService();
    const { port } = new URL(other.address);
    await expectRefusal({ METRICS: port }, `.*${port}`, 'another process', 'METRICS');
  });

  it('an address that this machine does not have', () => expectRefusal({ HOST: '192.0.2.1' }, '.*192.0.2.1', 'HOST'));
});
