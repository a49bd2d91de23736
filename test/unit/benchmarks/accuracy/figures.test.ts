/** Promises of the figures and of the report: they follow from labels and judgements, and say what was skipped. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { jsonOf, LABELLED, run } from './command-run.js';
import { createFakeJudge, judgementOf } from './judgements.js';
import { createScratchFolder } from './scratch-folder.js';

describe('figures', () => {
  it('agree with a case worked out by hand', async () => {
    const folder = createScratchFolder();
    const input = folder.file('a.csv', LABELLED);
    const json = folder.path('r.json');
    const { status, stdout } = await run([
      '--input',
      input,
      '--text-column',
      'text',
      '--label-column',
      'label',
      '--json',
      json,
    ]);
    expect(status).toBe(0);
    // Positives at 0.9 and 0.1, negatives at 0.6 and 0.2: 0.9 is above both negatives, 0.1 above none.
    expect(jsonOf(json)).toMatchObject({
      model: 'fake@1',
      labelKind: 'toxicity',
      figures: {
        kind: 'binary',
        rocAuc: 0.5,
        averagePrecision: (1 + 2 / 4) / 2,
        decisions: [
          { name: 'not passed', precision: 0.5, recall: 0.5, f1: 0.5, accuracy: 0.5 },
          {
            name: 'score ≥ 4',
            confusion: { truePositives: 1, falsePositives: 1, falseNegatives: 1, trueNegatives: 1 },
          },
        ],
      },
      flagRates: { judged: 4, groups: { positives: 2, negatives: 2 } },
    });
    expect(stdout).toMatch(/ROC-AUC +0\.5000/);
    expect(stdout).toMatch(/toxic +2 +50\.00% +50\.00% +50\.00%/);
  });

  it('rank by the label that is asked for, and add the decision of its category', async () => {
    const folder = createScratchFolder();
    const input = folder.file('a.tsv', 'ham\t0.9\nspam\t0.1\n');
    const judge = createFakeJudge({
      judge: (text) => {
        const spam = 1 - Number(text);
        return Promise.resolve(
          judgementOf(0.1, { labels: { toxicity: 0.1, spam }, categories: spam > 0.5 ? ['spam'] : [] }),
        );
      },
    });
    const json = folder.path('r.json');
    const flags = [
      '--input',
      input,
      '--no-header',
      '--text-column',
      '1',
      '--label-column',
      '0',
      '--label-kind',
      'spam',
    ];
    expect((await run([...flags, '--positive', 'spam', '--json', json], judge)).status).toBe(0);
    expect(jsonOf(json)).toMatchObject({
      figures: {
        rocAuc: 1,
        decisions: [{ recall: 0 }, { recall: 0 }, { name: 'category spam', precision: 1, recall: 1 }],
      },
    });
  });

  it('judge sentiment by the likeliest of the three, whatever the verdict says', async () => {
    const folder = createScratchFolder();
    const input = folder.file('a.tsv', '2\tgood\n0\tbad\nneutral\tgood\n');
    const judge = createFakeJudge({
      judge: (text) => {
        const positive = text === 'good' ? 0.8 : 0.1;
        const sentiments = { positive, negative: 0.9 - positive, neutral: 0.1 };
        return Promise.resolve(judgementOf(0.9, { sentiment: 'toxic', sentiments }));
      },
    });
    const json = folder.path('r.json');
    const flags = [
      '--input',
      input,
      '--no-header',
      '--text-column',
      '1',
      '--label-column',
      '0',
      '--label-kind',
      'sentiment',
    ];
    const { status, stdout } = await run([...flags, '--json', json], judge);
    expect(status).toBe(0);
    expect(jsonOf(json)).toMatchObject({
      figures: { kind: 'sentiment', macroRecall: 2 / 3, classes: [{ recall: 1 }, { recall: 1 }, { recall: 0 }] },
    });
    expect(stdout).toContain('Macro-recall 0.6667');
  });

  it.each([
    ['1', true],
    [' TRUE ', true],
    ['0.5', true],
    ['0.49', false],
    ['-1', false],
    ['false', false],
    ['', false],
    ['toxic', false],
  ])('take the label %j for positive: %s', async (label, positive) => {
    const folder = createScratchFolder();
    const input = folder.file('a.jsonl', JSON.stringify({ text: '0.5', label }));
    const json = folder.path('r.json');
    await run(['--input', input, '--text-column', 'text', '--label-column', 'label', '--json', json]);
    expect(jsonOf(json)).toMatchObject({ figures: { positives: positive ? 1 : 0 } });
  });

  it('come with a note about labels that the default rule does not know', async () => {
    const folder = createScratchFolder();
    const input = folder.file('a.csv', 'text,label\n0.9,toxic\n0.1,ok\n');
    const flags = ['--input', input, '--text-column', 'text', '--label-column', 'label'];
    expect((await run(flags)).stdout).toContain('2 labels, such as "toxic", "ok", are no number');
    expect((await run([...flags, '--positive', 'toxic'])).stdout).not.toContain('Note');
  });
});

describe('report', () => {
  it('is one page without foreign parts that shows the worst mistakes and runs nothing of the texts', async () => {
    const folder = createScratchFolder();
    const hostile = '<script>alert("0.9")</script> & \'more\'';
    const rows = [
      { text: hostile, label: 0 },
      ...Array.from({ length: 60 }, (_, row) => ({ text: `row ${row}`, label: row % 2 })),
    ];
    const input = folder.file('a.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'));
    const judge = createFakeJudge({ judge: (text) => Promise.resolve(judgementOf(text === hostile ? 0.99 : 0.4)) });
    const report = folder.path('r.html');
    const flags = ['--input', input, '--text-column', 'text', '--label-column', 'label', '--report', report];
    expect((await run(flags, judge)).status).toBe(0);
    const html = readFileSync(report, 'utf8');
    expect(html).toContain('&lt;script&gt;alert(&quot;0.9&quot;)&lt;/script&gt; &amp; &#39;more&#39;');
    expect(html).not.toMatch(/<script|<img|<link|src=|href=/);
    // 20 of each kind, the hostile one first.
    expect(html.match(/class="text"/g)).toHaveLength(40);
    expect(html.indexOf('&lt;script')).toBeLessThan(html.indexOf('row 0<'));
  });
});
