/** Promises of the npm package: what is packed works in an empty folder, on the Node that runs this test, without a script at its installation. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { ROOT, run } from '../support/client-package.js';
import { analyze, outcomeOf, post, temporaryFolder } from '../support/service.js';
import { KIND, TOXIC } from '../support/texts.js';

const cleanUps: (() => void)[] = [];
const MOST_PACKED_BYTES = 60e6;
const INSTALL_MS = 300_000;

let folder: string;
let packed: string;

/** The shell's own variables, and no setting of whoever runs the tests. */
function environment(settings: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR, INFERENCE_THREADS: '1', ...settings };
}

function parapet(...argv: readonly string[]) {
  const { status, stdout, stderr } = spawnSync('npx', ['parapet', ...argv], {
    cwd: folder,
    encoding: 'utf8',
    env: environment(),
  });
  return { status, stdout, stderr };
}

beforeAll(async () => {
  folder = temporaryFolder((clean) => cleanUps.push(clean));
  // Of the build that the other tests run on: prepack would make it anew beneath them.
  const { stdout } = await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
    cwd: ROOT,
  });
  packed = join(folder, stdout.trim());
  const flags = ['--ignore-scripts', '--omit=optional', '--prefer-offline', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...flags, packed], { cwd: folder });
}, INSTALL_MS);
afterAll(() => cleanUps.forEach((clean) => clean()));

it('is small, and holds the product and its default model alone', () => {
  expect(statSync(packed).size).toBeLessThan(MOST_PACKED_BYTES);
  const installed = join(folder, 'node_modules/parapet');
  expect(readdirSync(installed).sort()).toEqual(
    ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'models', 'package.json'].sort(),
  );
  expect(readdirSync(join(installed, 'models'))).toEqual(['parapet-multi']);
  expect(readdirSync(join(installed, 'dist')).sort()).toEqual(['benchmarks', 'src']);
  for (const name of ['vitest', 'typescript', '@tensorflow']) {
    expect(existsSync(join(folder, 'node_modules', name)), name).toBe(false);
  }
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')));
  expect(Object.keys(scripts)).not.toEqual(expect.arrayContaining([expect.stringMatching(/install$|^prepare$/)]));
});

const findings = z.object({
  ok: z.boolean(),
  findings: z.array(z.object({ name: z.string(), state: z.enum(['ok', 'warning', 'failed']), says: z.string() })),
});

it('says what the machine can do, and ends with 1 where something fails', () => {
  const { status, stdout } = parapet('doctor', '--json');
  const { ok, findings: found } = findings.parse(JSON.parse(stdout));
  const state = Object.fromEntries(found.map(({ name, state }) => [name, state]));
  expect(state, stdout).toMatchObject({ model: 'ok', runtime: 'ok', disk: 'ok', clock: 'ok' });
  expect({ status, ok }).toEqual(
    found.some((each) => each.state === 'failed') ? { status: 1, ok: false } : { status: 0, ok: true },
  );
});

it('is started, judges with a key that a command made beside it, and ends well at a signal', async () => {
  const key = parapet('keys', 'create', '--project', 'shop', '--name', 'first').stdout.trim();
  expect(existsSync(join(folder, 'data/keys.json'))).toBe(true);

  // The command itself, as a supervisor starts it: npx stands between a signal and the service.
  const command = join(folder, 'node_modules/.bin/parapet');
  const service = spawn(command, ['start'], {
    cwd: folder,
    env: environment({ PORT: '0' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void service.kill('SIGKILL'));
  const ended = once(service, 'exit');
  let address: string | undefined;
  const logLine = z.object({ msg: z.string(), address: z.string().optional() });
  for await (const line of createInterface({ input: service.stdout })) {
    const { msg, ...more } = logLine.parse(JSON.parse(line));
    if (msg === 'ready') ({ address } = more);
    if (address !== undefined) break;
  }
  const target = { address: address ?? '', key };
  expect(await analyze(target, TOXIC)).toMatchObject({ passed: false });
  expect(await analyze(target, KIND)).toMatchObject({ passed: true });
  expect(await outcomeOf(await post({ ...target, key: 'sk_live_none' }, KIND))).toBe('401 unauthorized');
  service.kill('SIGTERM');
  await ended;
  expect({ code: service.exitCode, signal: service.signalCode }).toEqual({ code: 0, signal: null });
  await expect(fetch(target.address)).rejects.toThrow();
});

it('ends as the service does where it cannot start', () => {
  const { status, stderr } = spawnSync(join(folder, 'node_modules/.bin/parapet'), ['start'], {
    cwd: folder,
    encoding: 'utf8',
    env: environment({ PORT: 'none' }),
  });
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('PORT="none"') as unknown });
});

it('measures a labelled file, and judges as a library', async () => {
  writeFileSync(join(folder, 'texts.csv'), `text,toxic\n"${KIND}",0\n"${TOXIC}",1\n`);
  const files = ['--input', 'texts.csv', '--text-column', 'text', '--label-column', 'toxic'];
  const measured = parapet('accuracy', ...files);
  expect(measured.status, measured.stderr).toBe(0);
  const file = join(folder, 'judge.mjs');
  writeFileSync(
    file,
    `import { createEngine } from 'parapet/engine';
     const engine = await createEngine({ threads: 1 });
     console.log((await engine.judge(${JSON.stringify(TOXIC)})).passed);
     await engine.close();`,
  );
  expect((await run(process.execPath, [file], { cwd: folder })).stdout).toBe('false\n');
});

it('judges where the native library does not load, as on musl, and says so', () => {
  rmSync(join(folder, 'node_modules/onnxruntime-node/bin'), { recursive: true });
  const { status, stdout } = parapet('doctor', '--json');
  const runtime = findings.parse(JSON.parse(stdout)).findings.find(({ name }) => name === 'runtime');
  expect([status, runtime], stdout).toMatchObject([0, { state: 'warning' }]);
  expect(runtime?.says).toMatch(/judges a text in .* the slower backend wasm is used: onnxruntime-node does not load/);
});
