/** Every shell and TypeScript example of the pages for callers runs, and answers are shaped as the pages show them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packClient, ROOT } from '../support/client-package.js';
import { examplesOf } from '../support/doc-examples.js';
import { startService, temporaryFolder, type ReadyService } from '../support/service.js';
import { STAND_INS } from '../support/operations/stand-ins.js';

const PAGES = [
  ...[
    'docs/quick-start.md',
    'docs/from-perspective.md',
    'docs/from-openai.md',
    'docs/thresholds.md',
    'docs/keys.md',
    'docs/people.md',
  ],
  'docs/integrations/guardrails.md',
  ...['docs/operations/backup-and-upgrade.md', 'clients/typescript/README.md', 'docs/integrations/discord.md'],
];

/** What installs or starts something else than this test does: quickstart.test.ts and client-package.test.ts run it. */
const NOT_RUN = ['npm ci && npm run quickstart', 'npm run --silent pack:client', 'pip install schemathesis'];

const cleanUps: (() => unknown)[] = [];
let service: ReadyService;
/** Looks like a checkout after `npm ci && npm run build`, with the client installed, and may be written to. */
let folder: string;

beforeAll(async () => {
  service = await startService({}, (clean) => cleanUps.unshift(clean));
  folder = temporaryFolder((clean) => cleanUps.push(clean));
  copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  for (const name of ['dist', 'models', 'benchmarks']) symlinkSync(join(ROOT, name), join(folder, name));
  const client = join(folder, 'node_modules', 'parapet-client');
  mkdirSync(client, { recursive: true });
  symlinkSync(join(ROOT, 'node_modules', 'openai'), join(folder, 'node_modules', 'openai'));
  for (const [name, code] of Object.entries(STAND_INS)) {
    mkdirSync(join(folder, 'node_modules', name));
    writeFileSync(join(folder, 'node_modules', name, 'index.mjs'), code);
    writeFileSync(join(folder, 'node_modules', name, 'package.json'), '{"exports": "./index.mjs"}');
  }
  // As `npx` finds it in a project with the package.
  mkdirSync(join(folder, 'node_modules', '.bin'));
  symlinkSync(join(ROOT, 'dist/src/cli/parapet.js'), join(folder, 'node_modules', '.bin', 'parapet'));
  await run('tar', ['-xzf', await packClient(folder), '--strip-components=1', '-C', client]);
});
afterAll(async () => {
  for (const clean of cleanUps) await clean();
});

/** @returns standard output; fails with what stands on standard error where the command fails */
async function run(command: string, argv: readonly string[]): Promise<string> {
  const { PATH, HOME } = process.env;
  const variables = {
    PARAPET_URL: service.address,
    PARAPET_KEY: service.key,
    KEYS_FILE: service.keysFile,
    PARAPET_HOME: dirname(service.keysFile),
  };
  const child = spawn(command, argv, { cwd: folder, env: { PATH, HOME, ...variables } });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect(child.exitCode, `${argv.join(' ')}\n${stdout}\n${stderr}`).toBe(0);
  return stdout;
}

/** Members and kinds of values: texts and figures may differ with the model, what is true or false may not. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
  }
  return typeof value === 'boolean' ? value : value === null ? 'null' : typeof value;
}

describe.each(PAGES)('%s', (page) => {
  it('has examples that run, and answers as they are', async () => {
    const examples = examplesOf(page);
    // Blocks of a page go on where the one before ended: variables and all.
    const shell: string[] = ['set -eu'];
    let answer = '';
    let ran = 0;
    for (const { language, code } of examples) {
      if (language === 'json') {
        expect(shapeOf(JSON.parse(answer)), code).toEqual(shapeOf(JSON.parse(code)));
      } else if (language === 'ts') {
        const { module, target } = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
        const file = join(folder, 'example.mjs');
        writeFileSync(file, ts.transpileModule(code, { compilerOptions: { module, target } }).outputText);
        expect(await run(process.execPath, [file])).not.toBe('');
        ran += 1;
      } else if (!NOT_RUN.some((start) => code.startsWith(start))) {
        expect(language).toBe('sh');
        answer = await run('bash', ['-c', [...shell, code].join('\n')]);
        shell.push(...code.split('\n').filter((line) => /^\w+=/.test(line)));
        ran += 1;
      }
    }
    expect(ran).toBeGreaterThan(0);
  });
});

it('the README shows the client with an example that runs', async () => {
  const [example] = examplesOf('README.md').filter(({ language }) => language === 'ts');
  const { module, target } = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
  const file = join(folder, 'readme.mjs');
  const code = example?.code ?? '';
  writeFileSync(file, ts.transpileModule(code, { compilerOptions: { module, target } }).outputText);
  expect(await run(process.execPath, [file])).not.toBe('');
});
