/** Promises of the figures of a whole run: they follow from labels and judgements, for every label and group. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resultsSchema } from '../../../../benchmarks/accuracy/results.js';
import { jsonOf, LABELLED, run } from './command-run.js';
import { createScratchFolder } from './scratch-folder.js';

describe('figures', () => {
  it('agree with a case worked out by hand', async () => {
    const folder = createScratchFolder();
    const input = folder.file('a.csv', LABELLED);
    const json = folder.path('r.json');
    const columns = ['--text-column', 'text', '--label-column', 'label'];
    const { status, stdout } = await run(['--input', input, ...columns, '--json', json]);
    expect(status).toBe(0);
    // Positives at 0.9 and 0.1, negatives at 0.6 and 0.2: 0.9 is above both negatives, 0.1 above none.
    expect(jsonOf(json)).toMatchObject({
      model: 'fake@1',
      measured: [
        {
          labelKind: 'toxicity',
          labelColumn: 'label',
          figures: {
            kind: 'binary',
            rocAuc: { value: 0.5 },
            averagePrecision: { value: (1 + 2 / 4) / 2 },
            mainDecision: 'not passed',
            decisions: [
              { name: 'not passed', precision: { value: 0.5 }, recall: { value: 0.5 }, f1: { value: 0.5 } },
              {
                name: 'score ≥ 4',
                confusion: { truePositives: 1, falsePositives: 1, falseNegatives: 1, trueNegatives: 1 },
              },
              // Flagging all would be as good; of equal thresholds it is the highest.
              { name: 'best F1', threshold: 0.9, f1: { value: 2 / 3 } },
            ],
          },
        },
      ],
      flagRates: { judged: 4, groups: { positives: 2, negatives: 2 } },
    });
    expect(stdout).toMatch(/ROC-AUC +0\.5000/);
    expect(stdout).toMatch(/toxic +2 +50\.00% +50\.00% +50\.00%/);
  });

  it('are there for every group, with the worst of those that are large enough', async () => {
    const folder = createScratchFolder();
    // "small" is the worst, but of two rows; harmless texts about "held" are judged as its toxic ones are.
    const rows = [
      ...Array.from({ length: 10 }, () => [0.9, 1, 'fine']),
      ...Array.from({ length: 10 }, () => [0.1, 0, 'fine']),
      ...Array.from({ length: 10 }, () => [0.8, 1, 'held']),
      ...Array.from({ length: 12 }, () => [0.8, 0, 'held']),
      [0.1, 1, 'small'],
      [0.9, 0, 'small'],
      [0.5, 0, ''],
    ];
    const input = folder.file('a.csv', `text,label,whom\n${rows.map((row) => row.join(',')).join('\n')}\n`);
    const json = folder.path('r.json');
    const flags = ['--input', input, '--text-column', 'text', '--label-column', 'label', '--group-column', 'whom'];
    const { status, stdout } = await run([...flags, '--json', json]);
    expect(status).toBe(0);
    const heldOver = { name: 'held', positives: 10, negatives: 12, falsePositiveRate: 1, recall: 1 };
    expect(jsonOf(json)).toMatchObject({
      groupColumn: 'whom',
      measured: [
        {
          figures: {
            groups: {
              groups: [
                { name: 'fine', subgroupAuc: { value: 1 }, falsePositiveRate: 0, recall: 1 },
                // Background positives: ten at 0.9, and one at 0.1.
                { ...heldOver, subgroupAuc: { value: 0.5 }, bpsnAuc: { value: 10 / 11 } },
                { name: 'small', subgroupAuc: { value: 0 } },
              ],
              worst: { subgroupAuc: { name: 'held', value: 0.5 }, bpsnAuc: { name: 'held' } },
            },
          },
        },
      ],
    });
    expect(stdout).toContain('subgroup held (0.5000)');
  });

  it('are written in the shape of the schema, with nothing beyond it', async () => {
    const folder = createScratchFolder();
    const input = folder.file('a.csv', 'text,label,mood,whom,api\n0.9,1,positive,a,0.8\n0.2,0,negative,b,0.1\n');
    const json = folder.path('r.json');
    const columns = ['--label-column', 'label', '--label-column', 'sentiment=mood', '--group-column', 'whom'];
    const flags = [
      '--input',
      input,
      '--text-column',
      'text',
      ...columns,
      '--perspective-column',
      'api',
      '--json',
      json,
    ];
    await run(flags);
    const earlier = folder.file('old.json', readFileSync(json));
    await run([...flags, '--fit-threshold', 'f1', '--compare', earlier]);
    // What the schema does not know is left out of what it parses.
    expect(resultsSchema.parse(jsonOf(json))).toEqual(jsonOf(json));
    expect(jsonOf(json)).toMatchObject({ schemaVersion: 1, comparison: { sameRows: true, worse: [] } });
  });
});
