/** The promise that nothing leaves the machine and nothing is left on it: every way in that runs the model, seen from the outside. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { builtUrl } from '../../support/built.js';
import { buildWithoutBinary } from '../../support/models/hidden-binary.js';
import { analyze, createKey, killAfterTest, spawnService, temporaryFolder, type Exit } from '../../support/service.js';
import { canWatch, doneOutside, VISIBLE, watchedBy } from '../../support/operations/system-calls.js';
import { harmlessText, KIND, TOXIC } from '../../support/texts.js';

const benchmark = (path: string): string => fileURLToPath(new URL(`../../../benchmarks/dist/${path}`, import.meta.url));

/** A user who has run nothing before, a folder that is the service's own, and where the record of what was done goes. */
function newPlace() {
  const folder = temporaryFolder();
  const own = join(folder, 'data');
  const home = join(folder, 'home');
  const temporary = join(folder, 'tmp');
  for (const each of [own, home, temporary]) mkdirSync(each);
  const { PATH = '' } = process.env;
  return {
    own,
    record: join(folder, 'record'),
    environment: { PATH, HOME: home, TMPDIR: temporary, ...VISIBLE },
  };
}

type Place = ReturnType<typeof newPlace>;

async function endOf(child: ChildProcess): Promise<Exit> {
  const [stderr] = await Promise.all([child.stderr && text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stderr: stderr ?? '' };
}

function watch({ record, environment }: Place, ...line: readonly string[]): ChildProcess {
  const [command = '', ...argv] = [...watchedBy(record), ...line];
  return spawn(command, argv, { env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
}

describe.skipIf(!canWatch)('nothing is looked up, connected to or written outside of its own folder by', () => {
  it.each([
    ['server.js', () => 'server.js'],
    ['quickstart.js', () => 'quickstart.js'],
    [
      'server.js without the native library',
      () => pathToFileURL(join(buildWithoutBinary(temporaryFolder()), 'server.js')),
    ],
  ])('%s, from its start over texts that it judges to its end', async (_name, entry) => {
    const { own, record, environment } = newPlace();
    const keysFile = join(own, 'keys.json');
    const { key } = await createKey(keysFile);
    const service = spawnService({ ...environment, KEYS_FILE: keysFile }, entry(), watchedBy(record));
    killAfterTest(service);
    const address = await service.ready;
    for (const content of [KIND, TOXIC, harmlessText(10_000)]) await analyze({ address, key }, content);
    expect(await service.stop()).toEqual({ code: 0, stderr: '' });
    expect(await doneOutside(record, service.child.pid, [own])).toEqual([]);
  });

  it('a benchmark that runs the model in its own process', async () => {
    const place = newPlace();
    const input = join(place.own, 'texts.csv');
    writeFileSync(input, `text,label\n"${KIND}",0\n"${TOXIC}",1\n`);
    const files = ['--input', input, '--json', join(place.own, 'figures.json')];
    const columns = ['--text-column', 'text', '--label-column', 'label'];
    const child = watch(place, process.execPath, benchmark('accuracy/main.js'), ...files, ...columns);
    expect(await endOf(child)).toEqual({ code: 0, stderr: '' });
    expect(await doneOutside(place.record, child.pid, [place.own])).toEqual([]);
  });
});

it.skipIf(!canWatch)('npx, which runs the commands, looks nothing up and connects to nothing', async () => {
  const place = newPlace();
  const child = watch(place, 'npx', 'parapet', 'models', 'list');
  expect(await endOf(child)).toEqual({ code: 0, stderr: '' });
  const outside = await doneOutside(place.record, child.pid, [place.own]);
  expect(outside.filter((line) => line.includes('sa_family='))).toEqual([]);
});

it('a worker thread cannot turn off the reports of ONNX Runtime, and says so: its environment is a copy', async () => {
  const module = JSON.stringify(builtUrl('inference/onnx/no-telemetry.js').href);
  const worker = new Worker(`import(${module}).then(({ turnOffTelemetry }) => turnOffTelemetry())`, { eval: true });
  const [error] = (await once(worker, 'error')) as unknown[];
  expect(String(error)).toContain('ORT_DISABLE_TELEMETRY');
});

// With a program of our own: to start ONNX Runtime with its reports on would send some.
const SENDS = {
  'a look-up': [`require('node:dns').lookup('parapet.invalid', () => {})`, /sa_family=/],
  'a connection': [
    `require('node:net').connect(9, '192.0.2.1').on('error', () => {}).unref()`,
    /inet_addr\("192.0.2.1"\)/,
  ],
  'a datagram': [
    `const s = require('node:dgram').createSocket('udp4'); s.send('x', 9, '192.0.2.1', () => s.close())`,
    /192.0.2.1/,
  ],
  'a file at home': [`require('node:fs').writeFileSync(process.env.HOME + '/deviceid', '')`, /home\/deviceid"/],
  'a folder at home': [`require('node:fs').mkdirSync(process.env.HOME + '/.cache')`, /home\/\.cache"/],
  'a file that cannot be written': [
    `try { require('node:fs').writeFileSync('/nowhere/log', '') } catch {}`,
    /nowhere\/log/,
  ],
} as const;

it.skipIf(!canWatch)('these tests would see all of it, of a worker thread too', async () => {
  const place = newPlace();
  const code = Object.values(SENDS)
    .map(([each]) => `{ ${each} }`)
    .join('\n');
  const started = `new (require('node:worker_threads').Worker)(${JSON.stringify(code)}, { eval: true })`;
  const child = watch(place, process.execPath, '-e', started);
  expect(await endOf(child)).toEqual({ code: 0, stderr: '' });
  const outside = (await doneOutside(place.record, child.pid, [place.own])).join('\n');
  for (const [, line] of Object.values(SENDS)) expect(outside).toMatch(line);
});
