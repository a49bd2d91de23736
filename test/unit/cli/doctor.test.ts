/** Promises of `parapet doctor` and `parapet models`: what they say of machines and folders that are not as they should be, and how they end. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { getuid } from 'node:process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runDoctorCli } from '../../../src/cli/doctor/doctor-command.js';
import { checkClock, checkNode, checkProcessor } from '../../../src/cli/doctor/machine-checks.js';
import { runModelsCli } from '../../../src/cli/models/models-command.js';
import { checkRecords, checkTexts } from '../../../src/cli/doctor/record-checks.js';
import { checkDisk, checkModel, checkPort, checkStore } from '../../../src/cli/doctor/service-checks.js';
import { OperatorError } from '../../../src/errors.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import { versionsOf } from '../../../src/storage/sql/sqlite-migrations.js';
import { outcomeOf } from '../../support/command-outcome.js';
import { DECISION_KEYS, keepDecisions } from '../../support/dashboard/kept-decisions.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parapet-doctor-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const NOW = new Date('2031-05-04T10:30:00Z');

function config(more: object = {}) {
  const files = {
    keysFile: join(folder, 'data/keys.json'),
    modelDir: join(folder, 'none'),
    databaseUrl: undefined,
    storeGraceMs: 0,
  };
  return { host: '127.0.0.1', port: 0, metrics: 'off' as const, decisionKeys: [] as Buffer[], ...files, ...more };
}

describe('the machine', () => {
  it.each([
    ['v18.20.0', 'failed'],
    ['v20.18.3', 'failed'],
    ['v20.19.0', 'warning'],
    ['v22.12.0', 'ok'],
    ['v24.1.0', 'ok'],
    ['v31.0.0', 'warning'],
  ])('Node %s is %s', (version, state) => {
    const finding = checkNode(version);
    expect(finding.state).toBe(state);
    expect(finding.todo === undefined).toBe(state === 'ok');
  });

  it.each([
    ['x64', 'flags\t\t: fpu sse2 avx2 avx512f avx512_vnni', 'ok', 'avx2, avx512f, avx512_vnni'],
    ['x64', 'flags\t\t: fpu sse2', 'warning', 'without avx2'],
    ['arm64', 'Features\t: fp asimd asimddp i8mm', 'ok', 'asimddp, i8mm'],
    ['arm64', '', 'ok', 'cannot be read here'],
    ['riscv64', '', 'warning', 'riscv64'],
  ])('a processor of %s that says "%s" is %s', (architecture, cpuinfo, state, says) => {
    expect(checkProcessor(cpuinfo, architecture)).toMatchObject({
      state,
      says: expect.stringContaining(says) as unknown,
    });
  });

  it('a clock that was never set, or stands before what was made by it, fails', () => {
    expect(checkClock(NOW, [{ id: 'a', createdAt: '2031-05-04T10:30:20Z' }]).state).toBe('ok');
    expect(checkClock(new Date(0), []).state).toBe('failed');
    expect(checkClock(NOW, [{ id: 'a', createdAt: '2031-05-05T00:00:00Z' }])).toMatchObject({
      state: 'failed',
      says: expect.stringContaining('key a') as unknown,
    });
  });
});

describe('what the service needs', () => {
  it('a folder without a model fails', async () => {
    expect(await checkModel(config())).toMatchObject({ isWhole: false, finding: { state: 'failed' } });
  });

  it('a store without a key asks for one, and nothing is left behind', async () => {
    const { finding } = await checkStore(config(), NOW);
    expect(finding).toMatchObject({ state: 'warning', todo: expect.stringContaining('keys create') as unknown });
    expect((await checkDisk(config())).says).toContain(folder);
  });

  it('a damaged key file fails', async () => {
    writeFileSync(join(folder, 'keys.json'), '{');
    const { finding } = await checkStore(config({ keysFile: join(folder, 'keys.json') }), NOW);
    expect(finding).toMatchObject({ state: 'failed', says: expect.stringContaining('keys.json') as unknown });
  });

  it('a damaged policy of one project fails', async () => {
    const keysFile = join(folder, 'keys.json');
    const { id } = await openFileStore(keysFile).projects.create('shop');
    expect((await checkStore(config({ keysFile }), NOW)).finding).toMatchObject({ state: 'warning' });
    writeFileSync(join(folder, `policies.${id}.json`), '{');
    expect((await checkStore(config({ keysFile }), NOW)).finding).toMatchObject({
      state: 'failed',
      says: expect.stringContaining(id) as unknown,
    });
  });

  it('the records are looked at and left as they are: of this release, of an earlier one, of a later one, damaged', async () => {
    const file = join(folder, 'parapet.db');
    const records = async () => (await checkRecords(file)).finding;
    expect(await records()).toMatchObject({ state: 'ok', says: `${file}: nothing yet` });
    const store = openFileStore(join(folder, 'keys.json'));
    await store.sql.read('select 1');
    expect(await records()).toMatchObject({
      state: 'ok',
      says: expect.stringMatching(/whole, version \d+$/) as unknown,
    });
    await store.close();

    const database = new DatabaseSync(file);
    const { present } = await versionsOf(database, file);
    database.exec('pragma user_version = 3');
    const told = `version 3: a start makes it ${present}`;
    expect(await records()).toMatchObject({ state: 'ok', says: expect.stringContaining(told) as unknown });
    expect((await versionsOf(database, file)).present).toBe(3);
    database.exec('pragma user_version = 999');
    const newer = expect.stringContaining('is of version 999') as unknown;
    expect(await records()).toMatchObject({ state: 'failed', says: newer });
    database.close();

    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xff, bytes.length / 2));
    expect(await records()).toMatchObject({ state: 'failed', says: expect.stringContaining(file) as unknown });
  });

  it('a project that keeps texts needs a key, and kept texts the one that they were encrypted with', async () => {
    const keysFile = join(folder, 'keys.json');
    const store = openFileStore(keysFile);
    onTestFinished(() => store.close());
    const { id } = await store.projects.create('shop');
    const texts = async (decisionKeys: Buffer[]) => {
      const settings = config({ keysFile, decisionKeys });
      const { keepers, records = '' } = await checkStore(settings, NOW);
      return checkTexts(settings, keepers, (await checkRecords(records)).areReadable);
    };
    const says = (ending: string): unknown => expect.stringMatching(new RegExp(`${ending}$`));
    expect(await texts([])).toMatchObject({ state: 'ok', says: says('none was opened') });
    await store.policies.edit(id, () => ({ keep: { what: 'texts', days: 1 } }), { by: 'command line' });
    expect(await texts([])).toMatchObject({ state: 'failed', says: says('DECISIONS_KEY is not set') });
    await keepDecisions(store.sql, id, [{ text: 'PLANTED' }]);
    expect(await texts(DECISION_KEYS)).toMatchObject({ state: 'ok', says: says('the oldest and the newest open') });
    await keepDecisions(store.sql, id, [{ content: Buffer.alloc(60, 1) }]);
    expect(await texts(DECISION_KEYS)).toMatchObject({ state: 'warning', says: says('does not open the newest') });
  });

  it.skipIf(getuid?.() === 0)('a folder that cannot be written fails', async () => {
    chmodSync(folder, 0o500);
    expect((await checkStore(config(), NOW)).finding).toMatchObject({ state: 'failed' });
  });

  it('a port that another program has fails; one that is free does not', async () => {
    const other = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    expect(await checkPort('port', '127.0.0.1', port)).toMatchObject({
      state: 'failed',
      says: expect.stringContaining('EADDRINUSE') as unknown,
    });
    expect(await checkPort('port', '192.0.2.1', 3000)).toMatchObject({
      state: 'failed',
      todo: expect.stringContaining('HOST') as unknown,
    });
    expect(await checkPort('port', '127.0.0.1', 0)).toMatchObject({ state: 'ok' });
  });
});

describe('doctor', () => {
  it('ends with 1 where a check failed, and says what to do', async () => {
    expect(await outcomeOf((streams) => runDoctorCli([], { config, now: () => NOW, ...streams }))).toEqual({
      status: 1,
      stdout: expect.stringMatching(/^failed {3}model .*\n +→ .*MODEL_DIR/m) as unknown,
      stderr: '',
    });
  });

  it('says which settings are wrong, and looks at the machine all the same', async () => {
    const wrong = (): never => {
      throw new OperatorError('PORT="none": must be a whole number');
    };
    const { status, stdout } = await outcomeOf((streams) =>
      runDoctorCli(['--json'], { config: wrong, now: () => NOW, ...streams }),
    );
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      findings: expect.arrayContaining([
        {
          name: 'settings',
          state: 'failed',
          says: 'PORT="none": must be a whole number',
          todo: expect.any(String) as unknown,
        },
      ]) as unknown,
    });
  });
});

describe('models list', () => {
  const list = (...argv: string[]) => {
    const deps = { servedFolder: () => 'models/parapet-en', places: ['models', join(folder, 'none')] };
    return outcomeOf((streams) => runModelsCli(['list', ...argv], { ...deps, ...streams }));
  };

  it('has every model with its size, and marks the one that is served', async () => {
    const { status, stdout } = await list();
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\* {2}parapet-en@\S+ +1 +\d+\.\d +whole /m);
    expect(stdout).toMatch(/^ {3}parapet-multi@\S+ +\d+ +\d+\.\d +whole /m);
  });

  it('ends with 2 and the reason where one is not whole', async () => {
    const { status, stdout, stderr } = await list('--json', folder);
    expect(JSON.parse(stdout)).toMatchObject([
      { folder, served: false, problem: expect.stringContaining('manifest') as unknown },
    ]);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(folder) as unknown });
  });
});
