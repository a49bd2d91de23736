import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { openFileStore } from '../../src/storage/file-store.js';
import { alterOneByte, copyModel } from '../support/models/model-copy.js';
import {
  analyze,
  createKey,
  eventually,
  health,
  killAfterTest,
  spawnService,
  temporaryFolder,
  type Environment,
  type Service,
} from '../support/service.js';
import { KIND } from '../support/texts.js';

const WARNING = 40;
const logLine = z.object({ level: z.number(), msg: z.string() });

/** What the log says about keys that are to be made. */
function warnedOf(service: Service): string[] {
  return service.lines
    .map((line) => logLine.parse(JSON.parse(line)))
    .filter(({ level, msg }) => level === WARNING && msg.includes('npx parapet keys create'))
    .map(({ msg }) => msg);
}

describe('starting', () => {
  it('says "starting" until it can answer, works without any key file, says how to make one, and takes a key made later', async () => {
    const keysFile = join(temporaryFolder(), 'keys.json');
    const service = spawnService({ KEYS_FILE: keysFile });
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
    await service.ready;
    expect(warnedOf(service)).toHaveLength(1);
    const { key } = await createKey(keysFile);
    expect(await analyze({ address, key }, KIND)).toMatchObject({ passed: true });
  });

  it.each([
    ['a revoked key', true, 1],
    ['a key', false, 0],
  ] as const)('with %s says how to make one only if none counts', async (_kind, isRevoked, warnings) => {
    const keysFile = join(temporaryFolder(), 'keys.json');
    const made = await createKey(keysFile);
    if (isRevoked) await openFileStore(keysFile).keys.revoke(made.id);
    const service = spawnService({ KEYS_FILE: keysFile });
    killAfterTest(service);
    await service.ready;
    expect(warnedOf(service)).toHaveLength(warnings);
    expect(service.lines.join('')).not.toContain(made.key);
  });
});

/** Ends with 1 and one message that has all these words, in this order; nothing keeps running, nothing was written. */
async function refusal(entry: readonly string[], settings: Environment, ...words: string[]): Promise<void> {
  const keysFile = join(temporaryFolder(), 'keys.json');
  const service = spawnService({ KEYS_FILE: keysFile, INFERENCE_THREADS: '2', ...settings }, entry);
  killAfterTest(service);
  const { code, stderr } = await service.exit;
  expect(stderr).toMatch(new RegExp(`^parapet: ${words.join('[^]*')}`));
  expect(stderr).not.toMatch(/^ {4}at /m);
  expect(stderr.match(/parapet:/g)).toHaveLength(1);
  expect(code).toBe(1);
  expect(service.lines.filter((line) => line.includes('"msg":"ready"'))).toEqual([]);
  expect(existsSync(keysFile)).toBe(false);
}

describe.each([
  ['of one process', ['server.js']],
  ['of two', ['cli/parapet.js', 'start', '--processes', '2']],
])('what stands in the way of a start %s is said in one message', (_of, entry) => {
  const expectRefusal = (settings: Environment, ...words: string[]): Promise<void> =>
    refusal(entry, settings, ...words);

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

  it('an altered model file', async () => {
    const folder = copyModel();
    alterOneByte(join(folder, 'model.onnx'));
    await expectRefusal({ MODEL_DIR: folder }, '.*model.onnx', 'SHA-256', 'Restore');
  });

  it('a damaged key file, which it leaves alone', async () => {
    const keysFile = join(temporaryFolder(), 'damaged.json');
    writeFileSync(keysFile, '{"version": 1, "keys": [');
    await expectRefusal({ KEYS_FILE: keysFile }, '.*damaged.json', 'damaged', 'backup');
    expect(readFileSync(keysFile, 'utf8')).toBe('{"version": 1, "keys": [');
  });

  it.each(['PORT', 'METRICS'])('a taken %s', async (setting) => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    await expectRefusal({ [setting]: port }, `.*${port}`, 'another process', setting);
  });

  it('an address that this machine does not have', () => expectRefusal({ HOST: '192.0.2.1' }, '.*192.0.2.1', 'HOST'));
});
