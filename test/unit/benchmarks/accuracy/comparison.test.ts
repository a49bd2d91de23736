/** Promises of `--compare`: noise is no change, what is worse is named, and CI can tell by the exit status. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { differenceInterval } from '../../../../benchmarks/accuracy/comparison/difference.js';
import type { Judge } from '../../../../benchmarks/accuracy/judges/judge.js';
import { createRandomWords } from '../../../../benchmarks/accuracy/metrics/random-words.js';
import { jsonOf, run } from './command-run.js';
import { createFakeJudge, judgementOf } from './judgements.js';
import { createScratchFolder } from './scratch-folder.js';

describe('the interval of a difference', () => {
  it('adds the distances to the limits in squares', () => {
    const now = { value: 0.9, interval: [0.87, 0.92] } as const;
    const before = { value: 0.8, interval: [0.75, 0.84] } as const;
    const [low, high] = differenceInterval(now, before);
    // Downwards the lower limit of now meets the upper limit of before.
    expect(low).toBeCloseTo(0.1 - Math.hypot(0.03, 0.04), 12);
    expect(high).toBeCloseTo(0.1 + Math.hypot(0.02, 0.05), 12);
  });
});

const random = createRandomWords(21);
const LABELLED = `text,label\n${Array.from({ length: 400 }, (_, row) => `${row},${row % 2}`).join('\n')}\n`;
const probabilities = Array.from({ length: 400 }, (_, row) => {
  const noise = random() / 2 ** 32;
  return Math.round(1e6 * (row % 2 === 1 ? noise ** 0.5 : noise ** 2)) / 1e6;
});

/** Judges well, or a share of the rows the wrong way round. */
function judgeThatErrs(share: number, version = '1'): Judge {
  return createFakeJudge({
    judge: (text) => {
      const probability = probabilities[Number(text)] ?? 0;
      const wrong = Number(text) % 100 < share * 100;
      return Promise.resolve(judgementOf(wrong ? 1 - probability : probability, { model: `fake@${version}` }));
    },
  });
}

function setUp() {
  const folder = createScratchFolder();
  const input = folder.file('a.csv', LABELLED);
  const flags = ['--input', input, '--text-column', 'text', '--label-column', 'label'];
  const measure = async (judge: Judge, name: string) => {
    const json = folder.path(name);
    expect((await run([...flags, '--json', json], judge)).status).toBe(0);
    return json;
  };
  return { folder, flags, measure };
}

describe('a run that is compared with an earlier one', () => {
  it('has status 3 when it is worse, and says by what', async () => {
    const { folder, flags, measure } = setUp();
    const earlier = await measure(judgeThatErrs(0), 'old.json');
    const [json, html] = [folder.path('new.json'), folder.path('new.html')];
    const { status, stdout, stderr } = await run(
      [...flags, '--compare', earlier, '--json', json, '--html', html],
      judgeThatErrs(0.3, '2'),
    );
    expect({ status, stderr }).toEqual({ status: 3, stderr: '' });
    expect(stdout).toMatch(/Worse\n[^]*toxicity, ROC-AUC +0\.\d+ +0\.\d+ +−0\./);
    // Lower is better here, so what is higher is worse.
    expect(stdout).toMatch(/toxicity, Brier score +0\.\d+ +0\.\d+ +\+0\./);
    expect(jsonOf(json)).toMatchObject({ model: 'fake@2', comparison: { better: [] } });
    expect(readFileSync(html, 'utf8')).toContain('toxicity, ROC-AUC');
  });

  it('is neither where the difference is no more than noise', async () => {
    const { flags, measure } = setUp();
    const earlier = await measure(judgeThatErrs(0.02), 'old.json');
    const { status, stdout } = await run([...flags, '--compare', earlier], judgeThatErrs(0.03));
    expect(status).toBe(0);
    expect(stdout).toMatch(/Worse: 0, better: 0, the same within noise: [1-9]/);
    expect(stdout).not.toMatch(/In one run only/);
  });
});

describe('an earlier run that is of no use is named before anything is judged', () => {
  const never = createFakeJudge({ judge: () => Promise.reject(new Error('judged')) });
  const refusalBy = async (content: string | undefined, more: readonly string[] = []) => {
    const { folder, flags } = setUp();
    const earlier = content === undefined ? folder.path('none.json') : folder.file('old.json', content);
    const { status, stderr } = await run([...flags, ...more, '--compare', earlier], never);
    expect(status).toBe(2);
    return stderr;
  };

  it.each([
    [undefined, 'it cannot be read'],
    ['{', 'it is not valid JSON'],
    ['{"rocAuc":1}', 'it was not written by --json'],
    ['{"schemaVersion":99}', 'it has schema version 99, and this is for 1'],
  ])('%j', async (content, reason) => {
    expect(await refusalBy(content)).toContain(reason);
  });
});
