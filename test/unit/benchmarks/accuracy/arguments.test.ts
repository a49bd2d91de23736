/** Promises of the command line: every mistake is named, and no message repeats a key. */
import { describe, expect, it } from 'vitest';
import { FLAG_NAMES, parseAccuracyArguments } from '../../../../benchmarks/accuracy/arguments.js';
import { HELP } from '../../../../benchmarks/accuracy/help.js';
import { LABEL_KINDS } from '../../../../benchmarks/accuracy/label-columns.js';

const KEY = 'sk_' + 'test_' + '0123456789abcdefghijklmnopqrstuv';
const needed = ['--input', 'a.csv', '--text-column', 'text'];

describe('arguments', () => {
  it('needs no more than a file and its text column', () => {
    expect(parseAccuracyArguments(needed)).toEqual({
      source: {
        file: 'a.csv',
        format: 'csv',
        columns: { text: 'text', label: undefined, moreLabels: [], group: undefined },
        header: true,
        quoted: true,
        delimiter: undefined,
        groupSeparator: undefined,
        limit: Infinity,
      },
      labelColumns: [],
      positive: undefined,
      predictions: undefined,
      html: undefined,
      json: undefined,
      compare: undefined,
      fitTarget: undefined,
      bootstrap: undefined,
      seed: 1,
      service: undefined,
    });
  });

  it('takes all flags', () => {
    const flags =
      '--input a.tsv.gz --text-column 1 --label-column 0 --label-column insult=2 --label-kind spam --positive spam ' +
      '--group-column 3 --group-separator | --no-header --quoted --delimiter ; --limit 5 --predictions p --html h --json j ' +
      '--compare o --fit-threshold precision=0.9 --bootstrap 50 --seed 7 --url http://localhost:3000/ --key K';
    expect(parseAccuracyArguments(flags.split(' '))).toEqual({
      source: {
        file: 'a.tsv.gz',
        format: 'tsv',
        columns: { text: '1', label: '0', moreLabels: ['2'], group: '3' },
        header: false,
        quoted: true,
        delimiter: ';',
        groupSeparator: '|',
        limit: 5,
      },
      labelColumns: [
        { kind: 'spam', name: '0' },
        { kind: 'insult', name: '2' },
      ],
      positive: 'spam',
      predictions: 'p',
      html: 'h',
      json: 'j',
      compare: 'o',
      fitTarget: { kind: 'precision', least: 0.9 },
      bootstrap: 50,
      seed: 7,
      service: { url: 'http://localhost:3000', key: 'K' },
    });
    for (const name of FLAG_NAMES.filter((flag) => flag !== 'report')) expect(flags).toContain(`--${name}`);
    expect(parseAccuracyArguments([...needed, '--report', 'r.html']).html).toBe('r.html');
  });

  it('takes an equals sign for part of a column’s name, unless a kind of label stands before it', () => {
    const columnsOf = (...columns: readonly string[]) =>
      parseAccuracyArguments([...needed, ...columns.flatMap((column) => ['--label-column', column])]).labelColumns;
    expect(columnsOf('x=y', 'insult=a=b')).toEqual([
      { kind: 'toxicity', name: 'x=y' },
      { kind: 'insult', name: 'a=b' },
    ]);
    expect(columnsOf('sentiment=s')).toEqual([{ kind: 'sentiment', name: 's' }]);
    expect(columnsOf('spam=')).toEqual([{ kind: 'toxicity', name: 'spam=' }]);
  });

  it('takes the key from the environment, where the flag does not say another', () => {
    const url = [...needed, '--url', 'https://host/base'];
    expect(parseAccuracyArguments(url, KEY).service).toEqual({ url: 'https://host/base', key: KEY });
    expect(parseAccuracyArguments([...url, '--key', 'K'], KEY).service?.key).toBe('K');
    expect(parseAccuracyArguments(needed, KEY).service).toBeUndefined();
  });

  it.each([
    ['--text-column text', '--input is missing'],
    ['--input a.csv', '--text-column is missing'],
    ['--input a.txt --text-column t', '--input must end in .csv, .tsv or .jsonl'],
    ['--input a.csv.xz --text-column t', '--input must end in'],
    ['--input a.csv --text-column=', '--text-column is empty'],
    ['--input a.csv --text-column t --colour', "Unknown option '--colour'"],
    ['--input a.csv --text-column t --limit 0', '--limit must be a whole number'],
    ['--input a.csv --text-column t --limit 1e3', '--limit must be a whole number'],
    ['--input a.csv --text-column t --positive x', '--positive needs --label-column'],
    ['--input a.csv --text-column t --label-kind spam', '--label-kind needs --label-column'],
    ['--input a.csv --text-column t --label-column l --label-kind hate', '--label-kind must be one of toxicity, '],
    [
      '--input a.csv --text-column t --label-column l --label-kind sentiment --positive x',
      '--positive does not go with',
    ],
    ['--input a.csv --text-column t --label-column l --label-column m', 'two label columns for toxicity'],
    ['--input a.csv --text-column t --label-column spam=l --label-kind spam', '--label-kind needs --label-column'],
    ['--input a.csv --text-column t --group-column g', '--group-column needs --label-column'],
    ['--input a.csv --text-column t --label-column sentiment=l --group-column g', '--group-column does not go with'],
    ['--input a.csv --text-column t --label-column l --group-separator ;', '--group-separator needs --group-column'],
    ['--input a.csv --text-column t --compare o', '--compare needs --label-column'],
    ['--input a.csv --text-column t --label-column l --compare o --bootstrap 0', '--bootstrap must not be 0'],
    ['--input a.csv --text-column t --fit-threshold f1', '--fit-threshold needs --label-column'],
    ['--input a.csv --text-column t --label-column l --fit-threshold f2', '--fit-threshold must be f1'],
    ['--input a.csv --text-column t --bootstrap -1', "'--bootstrap' argument is ambiguous"],
    ['--input a.csv --text-column t --bootstrap 1.5', '--bootstrap must be a whole number'],
    ['--input a.csv --text-column t --seed 4294967296', '--seed must be a whole number'],
    ['--input a.csv --text-column t --delimiter ;;', '--delimiter must be one character'],
    ['--input a.jsonl --text-column t --delimiter ;', '--delimiter is for'],
    ['--input a.jsonl --text-column t --no-header', '--no-header is for .csv and .tsv'],
    ['--input a.csv --text-column t --quoted', '--quoted is for .tsv'],
    ['--input a.csv --text-column t --url http://h', '--url needs --key'],
    [`--input a.csv --text-column t --key ${KEY}`, '--key goes with --url'],
    [`--input a.csv --text-column t --url http://h ${KEY}`, 'Every argument needs its flag'],
    [`--input a.csv --text-column t --url http://h --key ${KEY}\u0007`, 'the key holds characters that no key has'],
    [`--input a.csv --text-column t --key ${KEY} --url localhost:3000`, '--url must start with http:// or https://'],
    [`--input a.csv --text-column t --key ${KEY} --url http://u:p@h`, '--url must not hold a user name'],
    [`--input a.csv --text-column t --key ${KEY} --url http://h?a=b`, '--url must be the base address'],
  ])('refuses %j', (flags, reason) => {
    let message = '';
    try {
      parseAccuracyArguments(flags.split(' '));
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain(reason);
    expect(message).not.toContain(KEY);
  });

  it('helps with every flag and every kind of label', () => {
    for (const name of FLAG_NAMES) expect(HELP).toContain(`--${name}`);
    for (const kind of LABEL_KINDS) expect(HELP).toMatch(new RegExp(`\\b${kind}\\b`));
  });
});
