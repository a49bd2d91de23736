/** Promises of the `decisions` command: a key that works, an export that opens texts, a deletion of one reference alone. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { runDecisionsCli } from '../../../src/cli/decisions-command.js';
import { decisionIdAt } from '../../../src/decisions/decision-record.js';
import { createDecisionRepository } from '../../../src/decisions/decision-repository.js';
import { createTextCipher } from '../../../src/decisions/text-cipher.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import { outcomeOf } from '../../support/command-outcome.js';
import { freshKeyFile, REQUEST } from '../storage/store-folder.js';

const AT = Date.UTC(2026, 10, 1);

function command(keysFile: string, key?: string) {
  return (...argv: string[]) =>
    outcomeOf((streams) =>
      runDecisionsCli(argv, {
        openStore: () => Promise.resolve(openFileStore(keysFile)),
        openCipher: () => (key === undefined ? undefined : createTextCipher([Buffer.from(key, 'base64')])),
        ...streams,
      }),
    );
}

async function withDecisions() {
  const keysFile = freshKeyFile();
  const store = openFileStore(keysFile);
  const { projectId, id: keyId } = (await store.keys.create(REQUEST)).record;
  const key = (await command(keysFile)('new-key')).stdout.trim();
  const cipher = createTextCipher([Buffer.from(key, 'base64')]);
  const decisions = ['ann', 'bob', 'ann'].map((reference, index) => {
    const id = decisionIdAt(AT + index);
    return {
      ...{ id, projectId, keyId, reference, at: AT + index, requestId: 'r', door: '/v1/analyze' },
      ...{ passed: true, score: 0, categories: [], language: 'en', policyVersion: 1, deleteAt: AT + 1e12 },
      ...{ content: cipher?.seal(`text ${index}`, id), review: undefined, doubt: undefined },
    };
  });
  await createDecisionRepository(store.sql).insertMany(decisions);
  await store.close();
  return { keysFile, key, run: command(keysFile, key) };
}

const textsIn = (jsonl: string) =>
  jsonl
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { text: string | null }).text);

it('exports what is kept, of all or of one reference, to a file or to standard output', async () => {
  const { run, keysFile } = await withDecisions();
  expect(textsIn((await run('export', '--project', 'shop')).stdout)).toEqual(['text 2', 'text 1', 'text 0']);
  const file = join(dirname(keysFile), 'ann.csv');
  expect(await run('export', '--project', 'shop', '--reference', 'ann', '--format', 'csv', file)).toEqual({
    status: 0,
    stdout: '',
    stderr: '',
  });
  expect(readFileSync(file, 'utf8').trim().split('\r\n')).toHaveLength(3);
});

it('exports without texts where the key is another one', async () => {
  const { keysFile } = await withDecisions();
  const other = (await command(keysFile)('new-key')).stdout.trim();
  expect(textsIn((await command(keysFile, other)('export', '--project', 'shop')).stdout)).toEqual([null, null, null]);
});

it('deletes one reference', async () => {
  const { run } = await withDecisions();
  expect((await run('delete', '--project', 'shop', '--reference', 'ann')).stdout).toBe('2 decisions were deleted.\n');
  expect(textsIn((await run('export', '--project', 'shop')).stdout)).toEqual(['text 1']);
});

it.each([
  [['export'], 'export needs --project'],
  [['export', '--project', 'nobody'], 'There is no such project'],
  [['export', '--project', 'shop', '--format', 'xml'], '--format must be jsonl or csv'],
  [['delete', '--project', 'shop'], 'delete needs --project and --reference'],
  [['new-key', 'x'], 'new-key takes nothing'],
])('%j ends with status 2 and one line that says why', async (argv, reason) => {
  const { run } = await withDecisions();
  const { status, stdout, stderr } = await run(...argv);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain(reason);
  expect(stderr).toMatch(/^[^\n]*\n$/);
});
