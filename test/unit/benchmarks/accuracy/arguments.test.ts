/** Promises of the command line: every mistake is named, and no message repeats a key. */
import { describe, expect, it } from 'vitest';
import { FLAG_NAMES, parseAccuracyArguments } from '../../../../benchmarks/accuracy/arguments.js';
import { HELP } from '../../../../benchmarks/accuracy/help.js';

const KEY = 'sk_' + 'test_' + '0123456789abcdefghijklmnopqrstuv';
const needed = ['--input', 'a.csv', '--text-column', 'text'];

describe('arguments', () => {
  it('takes all flags', () => {
    const flags =
      '--input a.tsv.gz --text-column 1 --label-column 0 --label-column insult=2 --label-kind spam --positive spam ' +
      '--group-column 3 --group-separator | --no-header --quoted --delimiter ; --limit 5 --predictions p --html h --json j ' +
      '--compare o --fit-threshold precision=0.9 --perspective-column p --perspective-column threat=q --peer obscenity --peer alt-profanity-check --python py --bootstrap 50 --seed 7 --url http://localhost:3000/ --key K';
    expect(parseAccuracyArguments(flags.split(' '))).toEqual({
      source: {
        file: 'a.tsv.gz',
        format: 'tsv',
        columns: { text: '1', label: '0', moreLabels: ['2', 'p', 'q'], group: '3' },
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
      perspectiveColumns: [
        { label: 'toxicity', name: 'p' },
        { label: 'threat', name: 'q' },
      ],
      peers: ['obscenity', 'alt-profanity-check'],
      python: 'py',
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
    for (const name of FLAG_NAMES) {
      expect(flags).toContain(`--${name}`);
      expect(HELP).toContain(`--${name} `);
    }
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

  it.each([
    ['--text-column text', '--input is missing'],
    ['--input a.csv', '--text-column is missing'],
    ['--input a.txt --text-column t', '--input must end in .csv, .tsv or .jsonl'],
    ['--input a.csv --text-column t --colour', "Unknown option '--colour'"],
    ['--input a.csv --text-column t --limit 0', '--limit must be a whole number'],
    ['--input a.csv --text-column t --positive x', '--positive needs --label-column'],
    [
      '--input a.csv --text-column t --label-column l --label-kind sentiment --positive x',
      '--positive does not go with',
    ],
    ['--input a.csv --text-column t --label-column l --label-column m', 'two columns of --label-column for toxicity'],
    ['--input a.csv --text-column t --label-column l --compare o --bootstrap 0', '--bootstrap must not be 0'],
    ['--input a.csv --text-column t --label-column l --fit-threshold f2', '--fit-threshold must be f1'],
    [
      '--input a.csv --text-column t --perspective-column p --perspective-column q',
      'two columns of --perspective-column',
    ],
    ['--input a.csv --text-column t --perspective-column sentiment=p', 'no scores of sentiment'],
    ['--input a.csv --text-column t --peer obscenity', '--peer needs --label-column'],
    ['--input a.csv --text-column t --label-column l --peer perspective', '--peer must be one of obscenity, '],
    ['--input a.csv --text-column t --label-column l --python py', '--python goes with --peer'],
    ['--input a.csv --text-column t --seed 4294967296', '--seed must be a whole number'],
    ['--input a.jsonl --text-column t --delimiter ;', '--delimiter is for'],
    ['--input a.jsonl --text-column t --no-header', '--no-header is for .csv and .tsv'],
    ['--input a.csv --text-column t --url http://h', '--url needs --key'],
    [`--input a.csv --text-column t --key ${KEY}`, '--key goes with --url'],
    [`--input a.csv --text-column t --url http://h ${KEY}`, 'Every argument needs its flag'],
    [`--input a.csv --text-column t --url http://h --key ${KEY}\u0007`, 'the key holds characters that no key has'],
    [`--input a.csv --text-column t --key ${KEY} --url localhost:3000`, '--url must start with http:// or https://'],
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
});
