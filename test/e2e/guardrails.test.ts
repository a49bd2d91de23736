/** Promises of the doors of guardrails on the real model: LiteLLM's own class, and Coral as it signs. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PolicyFields } from '../../src/policies/policy-schema.js';
import { openFileStore } from '../../src/storage/file-store.js';
import { builtUrl } from '../support/built.js';
import { coralSignature, DOORS, SIGNING_SECRET } from '../support/guardrail-doors.js';
import { startServiceForAll, type ReadyService } from '../support/service.js';
import { KIND, TOXIC } from '../support/texts.js';

const THREAT = 'I will find you and kill you';

let service: ReadyService;
startServiceForAll((started) => (service = started));

async function run(command: string, argv: readonly string[], input: string, env: NodeJS.ProcessEnv = {}) {
  const child = spawn(command, argv, { env: { ...process.env, ...env } });
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect(child.exitCode, `${command} ${argv.join(' ')}\n${stderr}`).toBe(0);
  return stdout;
}

const file = (name: string): string => fileURLToPath(new URL(`../support/litellm/${name}`, import.meta.url));
const hasPython = spawnSync('python3', ['-c', 'import ensurepip, venv']).status === 0;

/** Made once for each list of packages, and kept for the next run. @returns its Python */
async function pythonWithLiteLlm(): Promise<string> {
  const digest = createHash('sha256')
    .update(readFileSync(file('requirements.txt')))
    .digest('hex')
    .slice(0, 12);
  const environment = join(tmpdir(), `parapet-litellm-${digest}-${userInfo().uid}`);
  if (!existsSync(environment)) {
    const begun = `${environment}.${process.pid}`;
    await run('python3', ['-m', 'venv', '--clear', begun], '');
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', file('requirements.txt')];
    await run(join(begun, 'bin/python'), install, '');
    try {
      renameSync(begun, environment);
    } catch {
      // Another run was quicker.
      rmSync(begun, { recursive: true, force: true });
    }
  }
  return join(environment, 'bin/python');
}

interface Case {
  readonly options?: object;
  readonly inputs: object;
  readonly input_type?: 'request' | 'response';
}

describe.skipIf(!hasPython)('the guardrail class of LiteLLM (needs python3)', () => {
  let python = '';
  beforeAll(async () => {
    python = await pythonWithLiteLlm();
  }, 600_000);

  async function outcomesOf(...cases: readonly Case[]): Promise<unknown[]> {
    const options = { api_base: service.address, api_key: service.key };
    const input = JSON.stringify(cases.map((each) => ({ ...each, options: { ...options, ...each.options } })));
    // Its prices of models would be fetched.
    const lines = await run(python, [file('guard.py')], input, { LITELLM_LOCAL_MODEL_COST_MAP: 'True' });
    return lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  }

  it('lets through, blocks with the reason, masks, and fails closed', async () => {
    const { policies } = openFileStore(service.keysFile);
    const { projectId = '' } = (await openFileStore(service.keysFile).keys.list())[0] ?? {};
    const texts = [KIND, KIND];
    const image = { texts, images: ['data:image/png;base64,AAAA'] };
    expect(
      await outcomesOf(
        { inputs: { texts } },
        { inputs: { texts: Array<string>(300).fill(KIND) }, input_type: 'response' },
        { inputs: { texts: [KIND, THREAT] } },
        { inputs: { texts: [KIND, THREAT] }, input_type: 'response' },
        { inputs: { texts: ['x'.repeat(10_001)] } },
        { inputs: image },
        { inputs: { texts: Array<string>(10_000).fill(KIND) } },
        { inputs: { texts }, options: { api_key: `${service.key}x` } },
        { inputs: { texts }, options: { api_base: 'http://127.0.0.1:9' } },
        { inputs: { texts }, options: { api_key: `${service.key}x`, unreachable_fallback: 'fail_open' } },
      ),
    ).toEqual([
      { through: { texts } },
      { through: { texts: Array<string>(300).fill(KIND) } },
      { blocked: expect.stringMatching(/^Failed: threat/) as string },
      { blocked: expect.stringMatching(/^Failed: threat/) as string },
      { blocked: 'Not judged: a text of more than 10000 characters.' },
      { blocked: 'Not judged: images.' },
      { failed: expect.stringContaining('400 Bad Request') as string },
      { failed: expect.stringContaining('401 Unauthorized') as string },
      { failed: expect.stringMatching(/^Generic Guardrail API failed/) as string },
      { failed: expect.stringContaining('401 Unauthorized') as string },
    ]);
    const masking: PolicyFields = {
      unreadable: 'pass',
      categories: { insult: { action: 'mask' } },
      blockedTerms: ['train*'],
      blockedTermsAction: 'mask',
    };
    await policies.edit(projectId, () => masking, { by: 'command line' });
    const insulting = `The train leaves at nine. ${TOXIC}. ${KIND}.`;
    expect(await outcomesOf({ inputs: { texts: [KIND, insulting] } }, { inputs: image })).toEqual([
      {
        through: {
          texts: [KIND, expect.stringMatching(/^The \[masked\] leaves at nine\. \[masked\] .*lovely/) as string],
        },
      },
      { through: image },
    ]);
    expect(service.lines.join('\n')).not.toContain('PLANTED');
    // It is imported twice, which takes longest.
  }, 180_000);
});

it('Coral is answered by the signature of what it sends, HTML and all, once the command has given the key its secret', async () => {
  const door = service.address + DOORS.Coral.url.replace('KEY_ID', service.keyId);
  async function statusOf(html: string, signature?: string): Promise<unknown> {
    const body = JSON.stringify(DOORS.Coral.bodyOf(html), null, 2);
    const headers = { 'Content-Type': 'application/json', 'X-Coral-Signature': signature ?? coralSignature(body) };
    const answer = await fetch(door, { method: 'POST', headers, body });
    return answer.status === 200 ? answer.json() : answer.status;
  }
  expect(await statusOf(KIND)).toBe(401);
  const command = [fileURLToPath(builtUrl('cli/parapet.js')), 'keys', 'signing-secret', service.keyId];
  await run(process.execPath, command, `${SIGNING_SECRET}\n`, { KEYS_FILE: service.keysFile });
  expect(await statusOf(`<b>${KIND}</b><br>`)).toEqual({ actions: [] });
  const rotated = `sha256=${'0'.repeat(64)},${coralSignature(JSON.stringify(DOORS.Coral.bodyOf(KIND), null, 2))}`;
  expect(await statusOf(KIND, rotated)).toEqual({ actions: [] });
  expect(await statusOf(`<div>I will <b>kill</b> you,&nbsp;you idiot</div>`)).toEqual({
    actions: [{ actionType: 'FLAG', reason: 'COMMENT_DETECTED_TOXIC' }],
    status: 'SYSTEM_WITHHELD',
  });
  expect(await statusOf(KIND, coralSignature('another body'))).toBe(401);
  expect(service.lines.join('\n')).not.toContain(SIGNING_SECRET);
});
