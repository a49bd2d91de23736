/** Promises of the readers: every format gives the same rows, nothing is bent on the way, and what is wrong is named with its line. */
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatOf, readRows, type DatasetSource } from '../../../src/dataset/dataset.js';
import { readLines } from '../../../src/dataset/text-lines.js';
import { createScratchFolder } from '../benchmarks/accuracy/scratch-folder.js';

type Wanted = Partial<Omit<DatasetSource, 'file' | 'format'>>;

async function rowsOf(name: string, content: string | Uint8Array, wanted: Wanted = {}) {
  const format = formatOf(name);
  if (format === undefined) throw new Error(name);
  const source: DatasetSource = {
    file: createScratchFolder().file(name, content),
    format,
    columns: { text: 'text', label: 'label' },
    header: true,
    quoted: format === 'csv',
    limit: Infinity,
    ...wanted,
  };
  const rows = [];
  for await (const row of readRows(source)) rows.push(row);
  return rows;
}

const hello = { row: 0, text: 'hello', label: '1', labels: ['1'], groups: [] };
const byIndex: Wanted = { header: false, columns: { text: '1', label: '0' } };

describe('formats', () => {
  it.each([
    ['a.csv', 'text,label\nhello,1\n'],
    ['a.csv', '\uFEFFid,label,text\r\n7,1,hello\r\n'],
    ['a.csv', '"text","label"\n"hello","1"'],
    ['a.tsv', 'label\ttext\n1\thello\n'],
    ['a.jsonl', '{"label":1,"text":"hello","more":[1]}\n'],
    ['a.jsonl', '\uFEFF{"text":"hello","label":"1"}\r\n\r\n'],
  ])('reads the same row from %s %j', async (name, content) => {
    expect(await rowsOf(name, content)).toEqual([hello]);
    expect(await rowsOf(`${name}.gz`, gzipSync(content))).toEqual([hello]);
  });

  it('goes by the end of the name, in any case', () => {
    expect(['a.csv', 'b.x.TSV', 'c.jsonl.gz', 'D.CSV.GZ'].map(formatOf)).toEqual(['csv', 'tsv', 'jsonl', 'csv']);
    expect(['a.json', 'csv', 'a.csv.xz', 'a.gz'].map(formatOf)).toEqual(Array(4).fill(undefined));
  });

  it('numbers columns without a header', async () => {
    expect(await rowsOf('a.csv', 'hello,1\n', { header: false, columns: { text: '0', label: '1' } })).toEqual([hello]);
    expect(await rowsOf('a.tsv', '1\thello\n', byIndex)).toEqual([hello]);
  });

  it('reads no further than the limit', async () => {
    const content = 'text,label\na,1\nb,0\nc"broken,0\n';
    expect((await rowsOf('a.csv', content, { limit: 2 })).map(({ text }) => text)).toEqual(['a', 'b']);
  });
});

describe('further columns', () => {
  const columns = { text: 'text', label: 'toxic', moreLabels: ['rude', 'spam'], group: 'whom' };

  it('give several labels, in the order in which they are asked for', async () => {
    const [fromCsv] = await rowsOf('a.csv', 'spam,whom,text,toxic,rude\n3,x,hello,1,2\n', { columns });
    const [fromJson] = await rowsOf('a.jsonl', '{"text":"hello","rude":2,"spam":3,"toxic":1,"whom":"x"}', { columns });
    expect(fromCsv).toEqual({ row: 0, text: 'hello', label: '1', labels: ['1', '2', '3'], groups: ['x'] });
    expect(fromJson).toEqual(fromCsv);
  });

  const groupsOf = async (name: string, content: string, groupSeparator?: string) =>
    (await rowsOf(name, content, { columns: { text: 'text', label: undefined, group: 'whom' }, groupSeparator })).map(
      ({ groups }) => groups,
    );

  it('name groups: one in a cell, or several where there is a separator, and none in an empty cell', async () => {
    const content = 'text,whom\na,old | young\nb,\nc, old \n';
    expect(await groupsOf('a.csv', content)).toEqual([['old | young'], [], ['old']]);
    expect(await groupsOf('a.csv', content, '|')).toEqual([['old', 'young'], [], ['old']]);
  });

  it('name groups in JSON Lines as a string, a list, null or not at all', async () => {
    const members = ['"whom":"old"', '"whom":["old","young"]', '"whom":null', '"other":1', '"whom":7'];
    const content = members.map((member) => `{"text":"a",${member}}`).join('\n');
    expect(await groupsOf('a.jsonl', content)).toEqual([['old'], ['old', 'young'], [], [], ['7']]);
    await expect(groupsOf('a.jsonl', '{"text":"a","whom":{}}')).rejects.toThrow('line 1: "whom" must be a string');
  });
});

describe('another delimiter', () => {
  it('stands between fields, with quotes and without', async () => {
    expect(await rowsOf('a.csv', 'text;label\n"hello";1\n', { delimiter: ';' })).toEqual([hello]);
    expect(await rowsOf('a.tsv', 'text|label\nhello|1\n', { delimiter: '|' })).toEqual([hello]);
  });
});

describe('texts arrive as they were written', () => {
  it('in CSV: quotes, commas, line breaks of both kinds, blanks and empty fields', async () => {
    const rows = await rowsOf('a.csv', 'text,label\r\n"say ""hi"", please\r\nnow\n",1\r\n\r\n  x ,0\r\n"",0\r\n');
    expect(rows.map(({ text }) => text)).toEqual(['say "hi", please\r\nnow\n', '  x ', '']);
    expect(rows.map(({ row }) => row)).toEqual([0, 1, 2]);
  });

  it('in TSV: a quote is a character like any other, unless quotes are asked for', async () => {
    const content = '0\t"so called" friend\n1\t"\n1\tit\'s 5" wide\n';
    expect((await rowsOf('a.tsv', content, byIndex)).map(({ text }) => text)).toEqual([
      '"so called" friend',
      '"',
      'it\'s 5" wide',
    ]);
    const quoted = await rowsOf('a.tsv', '0\t"a\tb ""c"""\n', { ...byIndex, quoted: true });
    expect(quoted.map(({ text }) => text)).toEqual(['a\tb "c"']);
  });

  it('in JSON Lines: characters that other readers take for line ends stay in the text', async () => {
    const text = 'a\u2028b\u2029c\u0085d\ve\r';
    expect(await rowsOf('a.jsonl', `${JSON.stringify({ text, label: true })}\n`)).toEqual([
      { ...hello, text, label: 'true', labels: ['true'] },
    ]);
  });

  it('when characters and line ends are split between pieces', async () => {
    const texts = Array.from({ length: 10_000 }, (_, index) => `${index} 😀é\u2028`);
    const csv = `text,label\r\n${texts.map((text) => `${text},0\r\n`).join('')}`;
    expect((await rowsOf('a.csv.gz', gzipSync(csv))).map(({ text }) => text)).toEqual(texts);
    const lines = texts.map((text) => `${JSON.stringify({ text, label: 0 })}\r\n`).join('');
    expect((await rowsOf('a.jsonl', lines)).map(({ text }) => text)).toEqual(texts);
  });

  it('for any lines, however they are cut', async () => {
    const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', '\u2028', 'é') }));
    await fc.assert(
      fc.asyncProperty(pieces, async (chunks) => {
        const lines: string[] = [];
        for await (const line of readLines(Readable.from(chunks))) lines.push(line.text);
        const expected = chunks.join('').split(/\r?\n/);
        expect(lines).toEqual(expected.at(-1) === '' ? expected.slice(0, -1) : expected);
      }),
    );
  });
});

describe('what is wrong is named', () => {
  it.each([
    ['a missing column of a CSV', 'a.csv', 'body,y\nx,1\n', 'there is no column "text"; there are: body, y'],
    ['a missing column of a TSV', 'a.tsv', 'body\ty\nx\t1\n', 'there is no column "text"; there are: body, y'],
    [
      'a missing member',
      'a.jsonl',
      '{"text":"a","label":0}\n{"body":1,"label":0}',
      'line 2 has no column "text"; there are: body, label',
    ],
    ['an inherited member', 'a.jsonl', '{"toString":1}', 'line 1 has no column "text"; there are: toString'],
    ['a column name that stands twice', 'a.csv', 'text,label,text\na,1,b\n', 'there are two columns "text"'],
    ['bad JSON', 'a.jsonl', '{"text":"a","label":0}\n{"text":\n', 'line 2 is not valid JSON'],
    ['JSON that is no object', 'a.jsonl', '[1]\n', 'line 1 is not a JSON object'],
    ['a text that is no string', 'a.jsonl', '{"text":5,"label":0}', 'line 1: "text" must be a string'],
    [
      'a label that is missing',
      'a.jsonl',
      '{"text":"a","label":null}',
      'line 1: "label" must be a string, a number or a boolean',
    ],
    [
      'uneven lines of a CSV',
      'a.csv',
      'text,label\n"a\nb",1\nc,1,2\n',
      'line 4 has more or fewer columns than the first line',
    ],
    [
      'uneven lines of a TSV',
      'a.tsv',
      'text\tlabel\na\t1\nb\n',
      'line 3 has more or fewer columns than the first line',
    ],
    [
      'an open quote',
      'a.csv',
      'text,label\n"secret,1\n',
      'the file ends within a quoted field: some quote is not closed',
    ],
    ['a stray quote', 'a.csv', 'text,label\nsecret "x",1\n', 'line 2 has a quote where none may stand'],
    ['another encoding', 'a.csv', Buffer.from('text,label\ncaf\xe9,1\n', 'latin1'), 'it is not valid UTF-8'],
    ['a file that is not gzip', 'a.csv.gz', 'text,label\n', 'it is not a gzip file, or damaged'],
    [
      'a gzip file cut short',
      'a.csv.gz',
      gzipSync('text,label\na,1\n').subarray(0, 20),
      'the gzip file ends too early',
    ],
  ])('%s', async (_, name, content, message) => {
    const reason = await rowsOf(name, content).then(String, (error: unknown) =>
      error instanceof Error ? error.message : '',
    );
    expect(reason).toContain(`${name}: ${message}`);
    expect(reason).not.toContain('secret');
  });
});
