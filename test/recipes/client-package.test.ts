/** Promises of the package of the TypeScript client: what is packed works, alone, on every runtime, and holds nothing else. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packClient, run } from '../support/client-package.js';
import { commandsOf } from '../support/environments.js';
import { startServiceForAll, temporaryFolder, type ReadyService } from '../support/service.js';
import { KIND, TOXIC } from '../support/texts.js';

const RUNTIMES: readonly (readonly [string, ...string[]])[] = [
  [process.execPath],
  ['bun', 'run'],
  ['deno', 'run', '--allow-net', '--allow-env', '--no-prompt'],
];

const PROGRAM = `
  import { ParapetClient } from 'parapet-client';
  const [baseUrl, apiKey] = [process.env.PARAPET_URL, process.env.PARAPET_KEY];
  const parapet = new ParapetClient({ baseUrl, apiKey });
  console.log((await parapet.health()).status, (await parapet.analyze(${JSON.stringify(TOXIC)})).passed);
  const texts = Array(100).fill([${JSON.stringify(KIND)}, { content: '' }]).flat();
  const outcomes = [];
  for await (const result of parapet.analyzeMany(texts, { batchSize: 90 })) outcomes.push(result.verdict?.passed ?? result.problem.code);
  console.log(outcomes.length, outcomes.slice(-2).join());
  for (const wrong of [{ baseUrl, apiKey: 'wrong' }, { baseUrl: 'http://127.0.0.1:1', apiKey }]) {
    await new ParapetClient(wrong).analyze('hi').catch((error) => console.log(error.name + ': ' + error.message));
  }`;

describe('the packed client', () => {
  let service: ReadyService;
  let project: string;
  let runtimes: string;
  startServiceForAll((started) => (service = started));
  beforeAll(async () => {
    project = temporaryFolder(afterAll);
    writeFileSync(join(project, 'package.json'), '{"name": "shop", "type": "module"}');
    writeFileSync(join(project, 'moderate.js'), PROGRAM);
    await run('npm', ['install', '--offline', await packClient(project)], { cwd: project });
    runtimes = await commandsOf(['bun@1.4.5', 'deno@2.9.6']);
  }, 300_000);

  it('is installed in a project without any other package, and holds nothing else', () => {
    const installed = join(project, 'node_modules', 'parapet-client');
    expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'parapet-client',
    ]);
    expect(readdirSync(installed).sort()).toEqual(['README.md', 'dist', 'package.json']);
    expect(readdirSync(join(installed, 'dist'))).toEqual(
      expect.arrayContaining(['LICENSE', 'parapet-client.js', 'parapet-client.d.ts']),
    );
  });

  describe.each(RUNTIMES)('on %s', (runtime, ...argv) => {
    it('judges one text and many, and tells what is wrong', async () => {
      const env = {
        PATH: `${runtimes}:${process.env.PATH ?? ''}`,
        HOME: project,
        PARAPET_URL: service.address,
        PARAPET_KEY: service.key,
      };
      const { stdout } = await run(runtime, [...argv, 'moderate.js'], { cwd: project, env });
      expect(stdout.trimEnd().split('\n')).toEqual([
        'healthy false',
        '200 true,invalid_body',
        expect.stringMatching(`^ParapetError: ${service.address} answered 401, unauthorized: `),
        expect.stringMatching(/^ParapetConnectionError: no answer from http:\/\/127\.0\.0\.1:1: ./),
      ]);
    });
  });
});
