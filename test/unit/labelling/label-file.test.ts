/** Promises of files of labels: what an export wrote can be read again, and what cannot be understood is said without quoting it. */
import { describe, expect, it } from 'vitest';
import { labelsIn } from '../../../src/labelling/label-file.js';
import { labelLines, type LabelFormat } from '../../../src/labelling/label-lines.js';
import type { TextLabel } from '../../../src/labelling/label-record.js';

const LABELS: readonly TextLabel[] = [
  {
    ...{ id: 'lbl_1', source: 'import', at: 1, text: 'one, "two"\nthree', language: 'pt-BR', shouldPass: false },
    truth: new Map([
      ['insult', true],
      ['spam', false],
    ] as const),
  },
  {
    id: 'lbl_2',
    source: 'suggestion',
    at: 2,
    text: '=1+1',
    language: undefined,
    shouldPass: undefined,
    truth: new Map([['toxic', true]]),
  },
];

async function written(format: LabelFormat, labels: readonly TextLabel[] = LABELS): Promise<string> {
  async function* each() {
    for (const label of labels) yield await Promise.resolve(label);
  }
  let file = '';
  for await (const line of labelLines(each(), format, 'comment')) file += line;
  return file;
}

const given = (labels: readonly TextLabel[]) =>
  labels.map(({ text, language, shouldPass, truth }) => ({ text, language, shouldPass, truth }));

describe('a file of labels', () => {
  it('as JSON Lines says the same when it is read again', async () => {
    expect(labelsIn({ jsonl: await written('jsonl') })).toEqual({ labels: given(LABELS), leftOut: 0 });
  });

  it('as a CSV does too, but for what a spreadsheet would compute', async () => {
    const csv = await written('csv');
    expect(labelsIn({ csv }).labels).toEqual(
      given(LABELS).map((label) => (label.text === '=1+1' ? { ...label, text: "'=1+1" } : label)),
    );
  });

  it('for Coop is a request of at most 100 items a line', async () => {
    const many = Array.from({ length: 101 }, (_, index) =>
      LABELS.slice(0, 1).map((label) => ({ ...label, id: `lbl_${index}` })),
    ).flat();
    const requests = (await written('coop', many))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { items: object[] });
    expect(requests.map(({ items }) => items.length)).toEqual([100, 1]);
    expect(requests[1]?.items[0]).toEqual({
      id: 'lbl_100',
      typeId: 'comment',
      data: { text: LABELS[0]?.text, language: 'pt-BR', should_pass: false, categories: 'insult' },
    });
  });

  it('leaves out what says nothing, or cannot be judged', () => {
    const csv = `comment,should_pass,hate\n  ,1,0\na,,\n${'b'.repeat(10_001)},1,0\nc,1,-1\nd,maybe,true\n`;
    const { labels, leftOut } = labelsIn({ csv });
    expect(labels).toEqual([
      { text: 'c', language: undefined, shouldPass: true, truth: new Map() },
      { text: 'd', language: undefined, shouldPass: undefined, truth: new Map([['hate', true]]) },
    ]);
    expect(leftOut).toBe(3);
    const jsonl =
      '{"text":"a","toxic":true,"language":7}\n\n{"text":["a"],"toxic":true}\n{"__proto__":1,"text":"b","spam":0.2}\n';
    expect(labelsIn({ jsonl })).toEqual({
      labels: [
        { text: 'a', language: undefined, shouldPass: undefined, truth: new Map([['toxic', true]]) },
        { text: 'b', language: undefined, shouldPass: undefined, truth: new Map([['spam', false]]) },
      ],
      leftOut: 1,
    });
  });

  it.each([
    [{ csv: 'text,mood\nsecret,1\n' }, /no column of labels: name them should_pass, toxic/],
    [{ csv: 'words,label,toxic\nsecret,1,1\n' }, /which column/],
    [{ csv: `text,toxic\n${'a,1\n'.repeat(20_001)}` }, /more than 20000 rows/],
    [{ jsonl: '{"text":"a","toxic":1}\n{"text":"secret' }, /^Line 2 is no JSON object\.$/],
    [{ jsonl: '"secret"' }, /Line 1/],
    [{ jsonl: '{"text":"a","toxic":1}\n'.repeat(20_001) }, /more than 20000 lines/],
  ])('says what is wrong with it and quotes nothing (%#)', (file, reason) => {
    expect(() => labelsIn(file)).toThrow(reason);
    expect(() => labelsIn(file)).toThrow(expect.not.stringContaining('secret') as string);
  });
});
