/** Promises of a fit: each text read once, unknown labels left out, and the policy with the thresholds of which the texts can tell. */
import { describe, expect, it } from 'vitest';
import { createAnalyzer } from '../../../../src/moderation/analyzer.js';
import type { LabelCategory } from '../../../../src/moderation/categories.js';
import { fitThresholds } from '../../../../src/policies/fitting/fit-thresholds.js';
import {
  labelColumnsOf,
  labelledText,
  labelledTextsInCsv,
  type LabelledText,
} from '../../../../src/policies/fitting/labelled-texts.js';
import type { PolicyFields } from '../../../../src/policies/policy-schema.js';
import { resolveFields } from '../../../../src/policies/resolve-policy.js';
import { createFakeClassifier } from '../../../support/fake-classifier.js';
import { SETTINGS } from '../../storage/policy-folder.js';

function setUp() {
  const classifier = createFakeClassifier((text) => ({
    labels: { identity_attack: Number(/0\.\d+/.exec(text)?.[0]) },
  }));
  const analyzer = createAnalyzer({ classifier, policy: resolveFields(SETTINGS, {}), cacheMaxEntries: 0 });
  const fit = (texts: readonly LabelledText[], fields: PolicyFields = {}, categories: LabelCategory[] = ['hate']) =>
    fitThresholds({ analyzer, texts, categories, settings: SETTINGS, fields, falseAlarms: 0.1, concurrency: 3 });
  return { classifier, fit };
}

const text = (probability: number, isSo?: boolean): LabelledText => ({
  text: `is ${probability.toFixed(3)}`,
  truth: new Map(isSo === undefined ? [] : [['hate', isSo]]),
});
const HARMLESS = Array.from({ length: 100 }, (_, index) => text(index / 100 + 0.005, false));
const HATEFUL = Array.from({ length: 40 }, (_, index) => text(0.6 + index / 100, true));

describe('a fit', () => {
  it('says what the threshold now does, what the fitted one would do, and sets nothing but it', async () => {
    const { fit, classifier } = setUp();
    const fields = {
      preset: 'news',
      categories: { hate: { action: 'ignore', threshold: 0.3 }, spam: { action: 'fail' } },
    } as const;
    const told = await fit([...HARMLESS, ...HATEFUL, text(0.9)], fields);
    expect(told.categories).toMatchObject([
      {
        category: 'hate',
        action: 'ignore',
        unlabelled: 1,
        before: { falseAlarms: { count: 70, of: 100 }, found: { count: 40, of: 40 } },
        after: { threshold: 0.9, falseAlarms: { count: 10, of: 100 }, found: { count: 10, of: 40 }, doubts: [] },
      },
    ]);
    expect(told.policy).toEqual({
      ...fields,
      categories: { ...fields.categories, hate: { action: 'ignore', threshold: 0.9 } },
    });
    expect(told.fitted).toEqual(['hate']);
    expect(classifier.calls).toHaveLength(141);
  });

  it('says what would fail for whatever reason', async () => {
    const { failing } = await setUp().fit([...HARMLESS, ...HATEFUL, text(0.99)]);
    expect(failing).toMatchObject({
      before: { falseAlarms: { count: 50, of: 100 }, found: { count: 40, of: 40 } },
      after: { falseAlarms: { count: 10, of: 100 }, found: { count: 10, of: 40 } },
    });
  });

  it('leaves a threshold as it is of which the texts cannot tell', async () => {
    const { policy, fitted, categories } = await setUp().fit([...HARMLESS.slice(-20), ...HATEFUL], { passMaxScore: 5 });
    expect([policy, fitted]).toEqual([{ passMaxScore: 5 }, []]);
    expect(categories[0]?.after.doubts).toEqual(['too few harmless texts']);
  });
});

describe('columns of labels', () => {
  const own = new Map([['hate', 'is_hate']] as const);

  it('are of one category each, or one of all that fail', () => {
    expect([...labelColumnsOf({ own }, ['spam'])]).toEqual([['hate', 'is_hate']]);
    expect([...labelColumnsOf({ own, shared: 'bad' }, ['spam', 'hate'])]).toEqual([
      ['hate', 'is_hate'],
      ['spam', 'bad'],
    ]);
    expect([...labelColumnsOf({ own, shared: 'bad', categories: ['toxic'] }, ['spam'])]).toEqual([['toxic', 'bad']]);
    expect(() => labelColumnsOf({ own, categories: ['spam'] }, [])).toThrow('Name the column that says what is spam.');
    expect(() => labelColumnsOf({ own: new Map(), shared: 'bad' }, [])).toThrow('name the categories to fit');
  });

  it('say yes, no or nothing', () => {
    const said = (cell: string, positive?: string) => labelledText('a', own, () => cell, positive)?.truth.get('hate');
    expect(['1', 'true', '0.7', '0', 'FALSE', '0.4'].map((cell) => said(cell))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(['', '-1', 'hate'].map((cell) => said(cell))).toEqual([undefined, undefined, undefined]);
    expect(['hate', 'none', ''].map((cell) => said(cell, 'hate'))).toEqual([true, false, false]);
  });

  it('are read from a CSV with what cannot be judged left out', () => {
    const csv = `id,text,is_hate\n1,"a, b",1\n2, ,1\n3,${'x'.repeat(10_001)},0\n4,c,?\n`;
    expect(labelledTextsInCsv({ csv, columns: own })).toEqual({
      texts: [
        { text: 'a, b', truth: new Map([['hate', true]]) },
        { text: 'c', truth: new Map() },
      ],
      leftOut: 2,
    });
    expect(() => labelledTextsInCsv({ csv: 'text,b\nx,1\n', columns: own })).toThrow('There are: text, b');
  });
});
