import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SMALL, writeStandInFiles } from '../../support/models/toxicity-model/stand-in-model.js';
import { builtUrl } from '../../support/built.js';
import { startFileServer, type FileServer } from '../../support/operations/file-server.js';
import { MODEL_FOLDER } from '../../support/models/model-copy.js';
import {
  analyze,
  analyzeInDetail,
  killAfterTest,
  post,
  spawnService,
  startService,
  temporaryFolder,
} from '../../support/service.js';
import { KIND, TOXIC } from '../../support/texts.js';
import { standInModel, TENSORFLOW_INSTALLED } from '../../support/models/toxicity-stand-in.js';

const SHARDS = ['group1-shard1of2', 'group1-shard2of2'];

/** What a hub serves, from a stand-in; and an empty folder beside it. */
async function startHub(options = SMALL): Promise<{ hub: FileServer; into: string }> {
  const folder = temporaryFolder();
  const names = writeStandInFiles(join(folder, 'hub'), options);
  const hub = await startFileServer(
    names.map((name): [string, Buffer] => [name, readFileSync(join(folder, 'hub', name))]),
  );
  onTestFinished(() => hub.close());
  return { hub, into: join(folder, 'google-toxicity') };
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function pull({ address }: FileServer, into: string, model = 'google-toxicity'): Promise<Ended> {
  const command = fileURLToPath(builtUrl('cli/models.js'));
  const options = ['--into', into, '--model-url', `${address}toxicity`, '--vocabulary-url', `${address}vocab.json`];
  const child = spawn(process.execPath, [command, 'pull', model, ...options]);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stdout, stderr };
}

describe.skipIf(!TENSORFLOW_INSTALLED)('parapet models pull', () => {
  it('fetches a model that the service then serves, saying on which backend', async () => {
    const { hub, into } = await startHub();
    const pulled = await pull(hub, into);
    expect(pulled).toMatchObject({ code: 0, stdout: expect.stringContaining(`MODEL_DIR=${into}`) as unknown });
    expect(pulled.stderr).toContain('group1-shard2of2: 100 % of');

    const service = await startService({ MODEL_DIR: into });
    const answer = await post(service, TOXIC);
    expect(answer.headers.get('x-model')).toMatch(/^google-toxicity@1\.0\.0\+(wasm|tensorflow)$/);
    expect(await analyze(service, TOXIC)).toMatchObject({
      passed: false,
      sentiment: 'toxic',
      categories: expect.arrayContaining(['toxic', 'insult']) as unknown,
    });
    expect(await analyze(service, KIND)).toMatchObject({
      passed: true,
      score: 0,
      sentiment: 'neutral',
      categories: [],
    });
    const { details } = await analyzeInDetail(service, `The museum opens at nine. ${TOXIC}.`);
    expect(Object.keys(details.labels)).toHaveLength(7);
    expect(details.spans.map(({ label }) => label)).toContain('insult');
    expect(service.lines.join('\n')).toMatch(/"model":"google-toxicity@1\.0\.0\+(wasm|tensorflow)"/);
  });

  it('goes on where it was cut off, and keeps what is whole', async () => {
    const { hub, into } = await startHub({ ...SMALL, vocabularySize: 8000 });
    const second = hub.files.get('group1-shard2of2');
    hub.files.delete('group1-shard2of2');
    expect(await pull(hub, into)).toMatchObject({ code: 2, stderr: expect.stringContaining('404') as unknown });
    expect(existsSync(join(into, 'manifest.json'))).toBe(false);
    if (second !== undefined) hub.files.set('group1-shard2of2', second);
    hub.cutAfter.set('group1-shard2of2', 200_000);
    expect(await pull(hub, into)).toMatchObject({ code: 0 });
    expect(hub.requests.filter((request) => request === 'group1-shard1of2')).toHaveLength(1);
    expect(hub.requests.at(-1)).toMatch(/^group1-shard2of2 from [1-9]/);
  });

  it('asks for nothing where the model is complete, and refuses one that was altered', async () => {
    const { hub, into } = await startHub();
    await pull(hub, into);
    const asked = hub.requests.length;
    expect(await pull(hub, into)).toMatchObject({ code: 0, stdout: expect.stringContaining('already') as unknown });
    expect(hub.requests).toHaveLength(asked);
    truncateSync(join(into, 'vocab.json'), 10);
    expect(await pull(hub, into)).toMatchObject({ code: 2, stderr: expect.stringContaining('vocab.json') as unknown });
  });

  it('refuses weights that are not as many as the graph describes, and removes them', async () => {
    const { hub, into } = await startHub();
    hub.files.set('group1-shard2of2', Buffer.from('short'));
    const ended = await pull(hub, into);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/The weights have \d+ bytes and not the \d+/);
    expect(readdirSync(into).sort()).toEqual(['model.json', 'vocab.json']);
  });

  it.each([
    ['a graph of another model', 'model.json', (content: string) => content.replaceAll('"threat/', '"weather/')],
    ['a vocabulary that is none', 'vocab.json', () => '{"error":"gone"}'],
  ])('refuses %s by name before it fetches weights', async (_what, name, alter) => {
    const { hub, into } = await startHub();
    hub.files.set(name, Buffer.from(alter(String(hub.files.get(name)))));
    const ended = await pull(hub, into);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(`The ${name} that arrived`) as unknown });
    expect(hub.requests).not.toContain(SHARDS[0]);
    expect(existsSync(join(into, name))).toBe(false);
  });

  it('does not write into the folder of another model', async () => {
    const { hub } = await startHub();
    const ended = await pull(hub, MODEL_FOLDER);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('parapet-en') as unknown });
    expect(hub.requests).toEqual([]);
  });
});

describe('without the optional packages', () => {
  /** The built service among all packages but those of TensorFlow. */
  function serverWithoutTensorflow(): URL {
    const folder = temporaryFolder();
    const root = fileURLToPath(new URL('../../../', import.meta.url));
    cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
    cpSync(join(root, 'package.json'), join(folder, 'package.json'));
    const packages = join(folder, 'node_modules');
    mkdirSync(packages);
    for (const name of readdirSync(join(root, 'node_modules'))) {
      if (!name.startsWith('@tensorflow')) symlinkSync(join(root, 'node_modules', name), join(packages, name));
    }
    return new URL(`file://${join(folder, 'dist/src/server.js')}`);
  }

  it('the service serves its own model as ever', async () => {
    const service = await startService({ MODEL_DIR: MODEL_FOLDER }, undefined, serverWithoutTensorflow());
    expect(await analyze(service, TOXIC)).toMatchObject({ passed: false });
  });

  it('a model of TensorFlow.js is refused by the name of the package and what to do', async () => {
    const MODEL_DIR = standInModel(onTestFinished);
    const KEYS_FILE = join(temporaryFolder(), 'keys.json');
    const service = spawnService({ MODEL_DIR, KEYS_FILE }, serverWithoutTensorflow());
    killAfterTest(service);
    expect(await service.exit).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/@tensorflow-models\/toxicity is not installed.*npm ci/) as unknown,
    });
  });
});
