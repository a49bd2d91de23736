/** Promises of a preview: each text read once, the largest changes first, and nothing begun after a failure. */
import { describe, expect, it } from 'vitest';
import { createAnalyzer } from '../../../src/moderation/analyzer.js';
import type { PolicyFields } from '../../../src/policies/policy-schema.js';
import { previewPolicy } from '../../../src/policies/preview.js';
import { textsInCsv, textsInLines } from '../../../src/policies/preview-texts.js';
import { resolveFields } from '../../../src/policies/resolve-policy.js';
import { createFakeClassifier } from '../../support/models/fake-classifier.js';
import { SETTINGS } from '../../support/settings.js';

/** `t=0.5` in a text is its toxicity, and so on. */
const LABELS = { t: 'toxicity', o: 'obscene', h: 'identity_attack' } as const;
const labelsIn = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/([toh])=(\d\.\d+)/g)].map(([, name, value]) => [
      LABELS[name as keyof typeof LABELS],
      Number(value),
    ]),
  );

function setUp(judge = labelsIn) {
  const classifier = createFakeClassifier((text) => ({ labels: judge(text) }));
  const before = resolveFields(SETTINGS, {});
  const analyzer = createAnalyzer({ classifier, policy: before, cacheMaxEntries: 0 });
  const preview = (lines: string, fields: PolicyFields, from: PolicyFields = {}) =>
    previewPolicy({
      analyzer,
      texts: textsInLines(lines),
      before: resolveFields(SETTINGS, from),
      after: resolveFields(SETTINGS, fields),
      concurrency: 3,
    });
  return { classifier, preview };
}

it.each([
  ['a CSV', (text: string) => textsInCsv(text, { mostRows: 3 })],
  ['lines', (text: string) => textsInLines(text, 3)],
])('%s of more rows than may be is refused without a look at the rest', (_, read) => {
  expect(read('text\na\nb').map(({ text }) => text)).toContain('b');
  // A quote that is not closed, and a text that is too long, would be refused by other words.
  expect(() => read(`text\na\nb\nc\nd\n"${'x'.repeat(20_000)}\n`)).toThrow('more than 3 rows');
});

describe('a preview', () => {
  it('orders changes of the outcome by how much the score speaks against them, then those of categories', async () => {
    const { preview, classifier } = setUp();
    const lines = ['a t=0.45', 'b t=0.95', 'c o=0.6', 'd h=0.9', 'e'].join('\n');
    const told = await preview(lines, {
      passMaxScore: 10,
      categories: { obscene: { action: 'fail' }, hate: { action: 'ignore' } },
    });
    expect(told.changed.map(({ row, change, score }) => [row, change, score])).toEqual([
      [2, 'now passes', 10],
      [3, 'now fails', 0],
      [1, 'now passes', 4],
      [4, 'now passes', 0],
    ]);
    expect(told).toMatchObject({
      texts: 5,
      failedBefore: 3,
      failedAfter: 1,
      nowPass: 3,
      nowFail: 1,
      otherCategories: 0,
    });
    expect(classifier.calls).toHaveLength(5);
    const ignoring = await preview('c o=0.6\nd', { categories: { obscene: { action: 'ignore' } } });
    expect(ignoring).toMatchObject({ otherCategories: 1, changed: [{ row: 1, change: 'other categories' }] });
  });

  it('reads a text under both lists of terms where they differ', async () => {
    const { preview, classifier } = setUp();
    await preview('a\nb', { ignoredTerms: ['x'] });
    expect(classifier.calls).toHaveLength(4);
  });

  it('ends with the first failure, and begins no other text', async () => {
    const { preview, classifier } = setUp((text) => {
      if (text.includes('fail')) throw new Error('a fault');
      return {};
    });
    await expect(preview(`fail\n${'more\n'.repeat(50)}`, { passMaxScore: 1 })).rejects.toThrow('a fault');
    expect(classifier.calls.length).toBeLessThan(10);
  });
});

describe('texts to preview', () => {
  it('are lines, numbered as they stand, without blank ones', () => {
    expect(textsInLines('a\r\n\n  b \n')).toEqual([
      { row: 1, text: 'a' },
      { row: 3, text: 'b' },
    ]);
  });

  it('are the named, the known or the only column of a CSV', () => {
    const expected = [{ row: 1, text: 'a, "b"' }];
    expect(textsInCsv('\uFEFFid,text\n1,"a, ""b"""\n')).toEqual(expected);
    expect(textsInCsv('only\n"a, ""b"""\n')).toEqual(expected);
    expect(textsInCsv('x\ty\n1\t"a, ""b"""\n', { textColumn: 'y', delimiter: '\t' })).toEqual(expected);
    expect(() => textsInCsv('x,y\n1,2\n')).toThrow('Say which column of the CSV has the texts. There are: x, y.');
    expect(() => textsInCsv('')).toThrow('There are: none');
  });

  it('are refused without being quoted', () => {
    for (const csv of ['text\n"secret', 'text,b\nsecret\n', 'text\nsec"ret"\n', `text\n${'secret'.repeat(2000)}\n`]) {
      expect(() => textsInCsv(csv)).toThrow(/^(?!.*secret)/);
    }
  });
});
