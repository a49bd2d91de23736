/** Promises of the command line: every mistake is named, and no message repeats a key. */
import { describe, expect, it } from 'vitest';
import { HELP, LABEL_KINDS, parseAccuracyArguments } from '../../../../benchmarks/accuracy/arguments.js';

const KEY = 'sk_' + 'test_' + '0123456789abcdefghijklmnopqrstuv';
const needed = ['--input', 'a.csv', '--text-column', 'text'];

describe('arguments', () => {
  it('needs no more than a file and its text column', () => {
    expect(parseAccuracyArguments(needed)).toEqual({
      source: {
        file: 'a.csv',
        format: 'csv',
        columns: { text: 'text', label: undefined },
        header: true,
        quoted: true,
        limit: Infinity,
      },
      labelKind: 'toxicity',
      positive: undefined,
      predictions: undefined,
      report: undefined,
      json: undefined,
      service: undefined,
    });
  });

  it('takes all flags', () => {
    const flags =
      '--input a.tsv.gz --text-column 1 --label-column 0 --label-kind spam --positive spam --no-header --quoted --limit 5 ' +
      '--predictions p --report r --json j --url http://localhost:3000/ --key K';
    expect(parseAccuracyArguments(flags.split(' '))).toEqual({
      source: {
        file: 'a.tsv.gz',
        format: 'tsv',
        columns: { text: '1', label: '0' },
        header: false,
        quoted: true,
        limit: 5,
      },
      labelKind: 'spam',
      positive: 'spam',
      predictions: 'p',
      report: 'r',
      json: 'j',
      service: { url: 'http://localhost:3000', key: 'K' },
    });
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
    const flags = ['input', 'text-column', 'label-column', 'label-kind', 'positive', 'no-header', 'quoted', 'limit'];
    const outputs = ['predictions', 'report', 'json', 'url', 'key'];
    for (const flag of [...flags, ...outputs]) expect(HELP).toContain(`--${flag}`);
    for (const kind of LABEL_KINDS) expect(HELP).toMatch(new RegExp(`\\b${kind}\\b`));
  });
});
