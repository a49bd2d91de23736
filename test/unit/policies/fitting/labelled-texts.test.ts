/** Promises of labelled texts: which column speaks for which category, and what its cells say. */
import { describe, expect, it } from 'vitest';
import { labelColumnsOf, labelledText, labelledTextsInCsv } from '../../../../src/policies/fitting/labelled-texts.js';

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
