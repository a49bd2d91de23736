/** Promises of the predictions file: every row in order, and the file whole or not at all. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../../../src/errors.js';
import { jsonOf, LABELLED, linesOf, run } from './command-run.js';
import { createFakeJudge, judgementOf } from './judgements.js';
import { createScratchFolder } from './scratch-folder.js';

describe('predictions', () => {
  it('are one object a row with the promised members, in the order of the input', async () => {
    const folder = createScratchFolder();
    const probabilities = Array.from({ length: 200 }, (_, row) => ((row * 7) % 101) / 100);
    const input = folder.file('a.csv', `text\n${probabilities.join('\n')}\n`);
    const predictions = folder.path('p.jsonl');
    // Later rows are done first.
    const judge = createFakeJudge({
      judge: async (text) => {
        for (let turn = Math.round(100 * (1 - Number(text))); turn > 0; turn -= 1) await Promise.resolve();
        return judgementOf(Number(text));
      },
    });
    const { status, stderr } = await run(
      ['--input', input, '--text-column', 'text', '--predictions', predictions],
      judge,
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const lines = linesOf(predictions);
    expect(lines).toEqual(
      probabilities.map((toxicity, row) => {
        const { score, passed, sentiment, categories, labels } = judgementOf(toxicity);
        return { row, score, passed, sentiment, categories, labels };
      }),
    );
    expect(Object.keys(lines[0] ?? {})).toEqual(['row', 'score', 'passed', 'sentiment', 'categories', 'labels']);
  });

  it('hold the error code of a text that cannot be judged; such rows are counted and in no figure', async () => {
    const folder = createScratchFolder();
    const texts = ['0.9', '', 'x'.repeat(10_001), '0.1', 'refused'];
    const input = folder.file(
      'a.jsonl',
      texts.map((text, row) => `${JSON.stringify({ text, label: row === 0 })}\n`).join(''),
    );
    const judge = createFakeJudge({
      judge: (text) => Promise.resolve(text === 'refused' ? { error: 'content_too_long' } : judgementOf(Number(text))),
    });
    const [predictions, json] = [folder.path('p.jsonl'), folder.path('r.json')];
    const flags = ['--input', input, '--text-column', 'text', '--label-column', 'label'];
    expect((await run([...flags, '--predictions', predictions, '--json', json], judge)).status).toBe(0);
    expect(linesOf(predictions)).toMatchObject([
      { row: 0, score: 9 },
      { row: 1, error: 'invalid_body' },
      { row: 2, error: 'content_too_long' },
      { row: 3, score: 1 },
      { row: 4, error: 'content_too_long' },
    ]);
    expect(jsonOf(json)).toMatchObject({
      rows: 5,
      judged: 2,
      skipped: { invalid_body: 1, content_too_long: 2 },
      measured: [{ figures: { positives: 1, negatives: 1, rocAuc: { value: 1 } } }],
    });
  });

  it('leave an earlier file as it was, and nothing else, when the run breaks', async () => {
    const folder = createScratchFolder();
    const input = folder.file('a.csv', LABELLED);
    const predictions = folder.file('p.jsonl', 'earlier\n');
    const judge = createFakeJudge({
      judge: (text) =>
        text === '0.6' ? Promise.reject(new OperatorError('The service is gone.')) : Promise.resolve(judgementOf(0.5)),
    });
    const files = ['--predictions', predictions, '--html', folder.path('r.html'), '--json', folder.path('r.json')];
    const { status, stdout, stderr } = await run(['--input', input, '--text-column', 'text', ...files], judge);
    expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: '', stderr: 'The service is gone.\n' });
    expect(readFileSync(predictions, 'utf8')).toBe('earlier\n');
    expect(readdirSync(dirname(input)).sort()).toEqual(['a.csv', 'p.jsonl']);
  });
});
