/** The receiver that docs/webhooks.md shows for Node takes what is sent, and nothing that somebody else signed. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sendWebhook, type SendProblem } from '../../../src/webhooks/send-webhook.js';
import { ROOT } from '../../support/client-package.js';
import { examplesOf } from '../../support/doc-examples.js';
import { freePort } from '../../support/servers/free-port.js';

const secretOf = (letter: string): string => ['whsec', Buffer.alloc(24, letter).toString('base64')].join('_');

it('the receiver of docs/webhooks.md takes the event of the page, and refuses another signature', async () => {
  const examples = examplesOf('docs/webhooks.md');
  const codeOf = (language: string): string => examples.find((example) => example.language === language)?.code ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'parapet-webhook-'));
  const port = await freePort();
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'receiver.mjs'), codeOf('js').replace('8000', String(port)));
  const env = { PATH: process.env.PATH, WEBHOOK_SECRET: secretOf('a') };
  const child = spawn(process.execPath, ['receiver.mjs'], { cwd: folder, env });
  onTestFinished(() => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));

  const payload = JSON.stringify(JSON.parse(codeOf('json')));
  const send = (secret: string): Promise<SendProblem> =>
    sendWebhook(
      { id: 'msg_1', projectId: 'prj_shop', url: `http://127.0.0.1:${port}/`, payload, secrets: [secret] },
      { networks: ['127.0.0.0/8'], now: () => new Date() },
    );
  await expect.poll(() => send(secretOf('a')), { timeout: 10_000 }).toBeUndefined();
  await expect.poll(() => printed).toBe('msg_1 review.outcome reversed\n');
  expect(await send(secretOf('b'))).toMatchObject({ problem: 'it answered 400' });
});
