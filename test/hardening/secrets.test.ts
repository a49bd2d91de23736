/**
 * The promise that a text, metadata and a key stay out of everything that the service writes, at the most verbose level, in a crash of
 * a worker, in a diagnostic report and at the end. Plants them, does all that, and searches. test/http/secrets.test.ts does it by state.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startService, temporaryFolder, type ReadyService } from '../support/service.js';
import { harmlessText } from '../support/texts.js';

const TEXT = 'xylophonequartz';
const METADATA = 'marzipanzeppelin';

/** Loaded into every worker: lets it die with an error as soon as the file appears, between two windows of a text. */
const crashOn = (trigger: string): string => `
  import { existsSync, rmSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  const look = () => {
    if (!existsSync('${trigger}')) return;
    rmSync('${trigger}');
    throw new Error('the worker was made to die');
  };
  if (!isMainThread) setInterval(look, 5).unref();
`;

/** What is judged and what is refused; every other way to send something: test/http/secrets.test.ts. */
async function sendSome({ address, key, keyId }: ReadyService): Promise<string> {
  const content = `You are a ${TEXT}, you stupid idiot.`;
  const body = { content, metadata: { user: METADATA, [METADATA]: [METADATA] } };
  const seen: string[] = [];
  for (const sent of [
    JSON.stringify(body),
    JSON.stringify({ ...body, content: [content] }),
    `${TEXT}${METADATA}${key}`,
  ]) {
    for (const path of ['/v1/analyze', '/v1/analyze?details=true', `/v1/analyze?details=${TEXT}&k=${key}`]) {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const answer = await fetch(address + path, { method: 'POST', headers, body: sent });
      seen.push(JSON.stringify([...answer.headers]), await answer.text());
    }
  }
  expect(seen.join()).not.toContain(keyId);
  return seen.join('\n');
}

describe('texts, metadata and keys', () => {
  it('are in no log line, answer, metric, key file or diagnostic report, through the death of a worker to the end', async () => {
    const folder = temporaryFolder();
    const trigger = join(folder, 'die');
    writeFileSync(join(folder, 'crash.mjs'), crashOn(trigger));
    const service = await startService({
      INFERENCE_THREADS: '2',
      LOG_LEVEL: 'trace',
      METRICS: 'public',
      NODE_OPTIONS: `--import=${join(folder, 'crash.mjs')} --report-on-signal --report-signal=SIGUSR2 --report-directory=${folder}`,
    });
    const answers = [await sendSome(service)];

    const ask = async (mark: string): Promise<string> => {
      const response = await fetch(`${service.address}/v1/analyze`, {
        method: 'POST',
        headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
        body: JSON.stringify({
          content: harmlessText(10_000, `${TEXT} ${mark}`),
          metadata: { [METADATA]: service.key },
        }),
      });
      return `${response.status} ${await response.text()}`;
    };
    const duringDeath = [ask('one'), ask('two'), ask('three')];
    writeFileSync(trigger, '');
    await service.line(/a worker thread died/);
    service.child.kill('SIGUSR2');
    const reports = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.json'));
    const isWhole = (name: string): boolean => {
      try {
        return typeof JSON.parse(readFileSync(join(folder, name), 'utf8')) === 'object';
      } catch {
        return false;
      }
    };
    await expect.poll(() => reports().some(isWhole), { timeout: 60_000 }).toBe(true);
    answers.push(...(await Promise.all(duringDeath)));
    // The calls that the dying worker held were tried again: no verdict is lost.
    for (const answer of answers.slice(1)) expect(answer).toMatch(/^200 \{"passed":/);
    answers.push(await (await fetch(`${service.address}/metrics`)).text());

    const last = Promise.allSettled([ask('four'), ask('five')]);
    const { stderr } = await service.stop();
    answers.push(...(await last).map((each) => (each.status === 'fulfilled' ? each.value : '')));

    expect(reports()).toHaveLength(1);
    expect(existsSync(trigger)).toBe(false);
    const written = [...service.lines, stderr, readFileSync(service.keysFile, 'utf8')];
    const everything = [...written, ...answers, ...reports().map((name) => readFileSync(join(folder, name), 'utf8'))];
    for (const secret of [TEXT, METADATA, service.key.slice('sk_live_'.length)]) {
      expect(everything.filter((each) => each.toLowerCase().includes(secret.toLowerCase()))).toEqual([]);
    }
  });
});
