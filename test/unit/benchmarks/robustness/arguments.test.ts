import { describe, expect, it } from 'vitest';
import { parseRobustnessArguments } from '../../../../benchmarks/robustness/arguments.js';

const FILE = ['--input', 'wiki.csv', '--text-column', 'text', '--label-column', 'toxic'];

describe('the command line of bench:robustness', () => {
  it('measures all there is, or some of it', () => {
    const partsOf = (...more: string[]): string[] => [...parseRobustnessArguments([...FILE, ...more]).parts];
    expect(partsOf()).toEqual(['disguises', 'length', 'kinds']);
    expect(partsOf('--only', 'length, kinds')).toEqual(['length', 'kinds']);
    expect(partsOf('--only=kinds', '--share', '0.2')).toEqual(['kinds']);
  });

  it.each([
    ['a share of nothing', [...FILE, '--share', '0'], '--share must be more than 0 and at most 1, and not "0"'],
    ['a part that is unknown', [...FILE, '--only', 'lenght'], '"lenght" is none of disguises, length, kinds'],
    ['no part at all', [...FILE, '--only='], '--only needs one or more of disguises'],
    ['no label column', FILE.slice(0, 4), '--label-column is missing'],
    ['a service', [...FILE, '--url', 'http://127.0.0.1:1', '--key', 'k'], '--url does not go'],
    ['two label columns', [...FILE, '--label-column', 'insult=rude'], 'a second --label-column does not go'],
    ['another kind of label', [...FILE, '--label-kind', 'spam'], '--label-kind does not go'],
    ['an unknown flag', [...FILE, '--colour', 'red'], '--colour'],
  ])('refuses %s', (_, argv, message) => {
    expect(() => parseRobustnessArguments(argv)).toThrow(message);
  });
});
