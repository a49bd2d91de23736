/** Promises of the command: what is wrong is said in one line, with status 2, before anything is judged, and without a key. */
import { describe, expect, it } from 'vitest';
import { LABELLED, run } from './command-run.js';
import { createFakeJudge } from './judgements.js';
import { createScratchFolder } from './scratch-folder.js';

describe('what is wrong', () => {
  it.each([
    [['--input', 'FILE', '--text-column', 'body'], 'there is no column "body"; there are: text, label'],
    [['--input', 'FILE.csv', '--text-column', 'text'], 'there is no such file'],
    [['--input', 'FILE', '--text-column', 'text', '--predictions', 'FILE'], 'another flag names this file too'],
    [
      ['--input', 'FILE', '--text-column', 'text', '--predictions', '/nowhere/p.jsonl'],
      '/nowhere/p.jsonl cannot be written: ENOENT',
    ],
    [['--input', 'FILE', '--text-column', 'text', '--json', '/dev/null'], 'this is not a plain file'],
    [
      ['--input', 'FILE', '--text-column', 'text', '--label-column', 'text', '--label-kind', 'sentiment'],
      'The label of row 0 is "0.9"; it must be positive, negative or neutral',
    ],
    [
      ['--input', 'FILE', '--text-column', 'text', '--label-column', 'label', '--label-kind', 'spam'],
      'no probability of spam',
    ],
    [
      ['--input', 'FILE', '--text-column', '0', '--no-header', '--perspective-column', '0'],
      'score of row 0 is no number from 0 to 1',
    ],
    [['--input', 'FILE', '--text-column', 'text', '--key', 'sk_test_abc'], '--key goes with --url'],
  ])('is said in one line, with status 2: %j', async (flags, reason) => {
    const input = createScratchFolder().file('a.csv', LABELLED);
    const { status, stdout, stderr } = await run(flags.map((flag) => flag.replace('FILE', input)));
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(reason);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect(stderr).not.toContain('sk_test_abc');
  });

  it('with the benchmark itself has status 1, and no key in what is printed', async () => {
    const input = createScratchFolder().file('a.csv', LABELLED);
    const judge = createFakeJudge({ judge: () => Promise.reject(new TypeError('odd: sk_live_0123456789')) });
    const { status, stderr } = await run(['--input', input, '--text-column', 'text'], judge);
    expect(status).toBe(1);
    expect(stderr).toContain('TypeError: odd: sk_live_…');
  });
});
