import { describe, expect, it } from 'vitest';
import { parseRobustnessArguments } from '../../../../benchmarks/robustness/arguments.js';

const FILE = ['--input', 'wiki.csv', '--text-column', 'text', '--label-column', 'toxic'];

describe('the command line of bench:robustness', () => {
  it('is that of bench:accuracy', () => {
    const { source, seed, surroundings } = parseRobustnessArguments([...FILE, '--seed', '3']);
    expect({ file: source.file, seed, surroundings }).toEqual({ file: 'wiki.csv', seed: 3, surroundings: undefined });
  });

  it.each([
    ['before the others', ['--surroundings', 'kinds.jsonl', ...FILE]],
    ['after them', [...FILE, '--surroundings', 'kinds.jsonl']],
    ['in one word', [...FILE, '--surroundings=kinds.jsonl']],
  ])('takes a file of surroundings %s', (_, argv) => {
    const { source, surroundings } = parseRobustnessArguments(argv);
    expect(source.file).toBe('wiki.csv');
    expect(surroundings?.file).toBe('kinds.jsonl');
    expect(surroundings?.columns).toMatchObject({ text: 'text', label: 'kind' });
  });

  it('measures all there is, or some of it', () => {
    const partsOf = (...more: string[]): string[] => [...parseRobustnessArguments([...FILE, ...more]).parts];
    expect(partsOf()).toEqual(['disguises', 'length', 'kinds']);
    expect(partsOf('--surroundings', 'kinds.jsonl')).toEqual(['disguises', 'length', 'kinds', 'surroundings']);
    expect(partsOf('--only', 'length, kinds')).toEqual(['length', 'kinds']);
    expect(partsOf('--only=surroundings', '--surroundings', 'kinds.jsonl')).toEqual(['surroundings']);
  });

  it('measures all of the texts, or a share of them', () => {
    const shareOf = (...more: string[]): number => parseRobustnessArguments([...FILE, ...more]).share;
    expect(shareOf()).toBe(1);
    expect(shareOf('--share', '0.2')).toBe(0.2);
  });

  it.each([
    ['a share of nothing', [...FILE, '--share', '0'], '--share must be more than 0 and at most 1, and not "0"'],
    ['more than all', [...FILE, '--share=20'], 'not "20"'],
    ['a share that is no number', [...FILE, '--share', 'half'], 'not "half"'],
    ['a part that is unknown', [...FILE, '--only', 'lenght'], '"lenght" is none of disguises, length, kinds'],
    ['no part at all', [...FILE, '--only='], '--only needs one or more of disguises'],
    ['surroundings without their file', [...FILE, '--only', 'surroundings'], 'needs --surroundings and a file'],
    ['a file that is not read', [...FILE, '--only', 'length', '--surroundings', 'k.csv'], 'add "surroundings" to it'],
    ['no label column', FILE.slice(0, 4), '--label-column is missing'],
    ['a service', [...FILE, '--url', 'http://127.0.0.1:1', '--key', 'k'], '--url does not go'],
    ['a report', [...FILE, '--html', 'r.html'], '--html does not go with this command'],
    ['predictions', [...FILE, '--predictions', 'p.jsonl'], '--predictions does not go'],
    ['an earlier run', [...FILE, '--compare', 'o.json'], '--compare does not go'],
    ['thresholds', [...FILE, '--fit-threshold', 'f1'], '--fit-threshold does not go'],
    ['samples', [...FILE, '--bootstrap', '10'], '--bootstrap does not go'],
    ['groups', [...FILE, '--group-column', 'whom'], '--group-column does not go'],
    ['two label columns', [...FILE, '--label-column', 'insult=rude'], 'a second --label-column does not go'],
    ['another kind of label', [...FILE, '--label-kind', 'spam'], '--label-kind does not go'],
    ['surroundings without a file', [...FILE, '--surroundings'], '--surroundings needs a file'],
    ['a flag in place of the file', ['--surroundings', ...FILE], '--surroundings needs a file'],
    ['surroundings that are no table', [...FILE, '--surroundings', 'kinds.txt'], '--surroundings must end in .csv'],
    ['an unknown flag', [...FILE, '--surrounding', 'kinds.csv'], '--surrounding'],
  ])('refuses %s', (_, argv, message) => {
    expect(() => parseRobustnessArguments(argv)).toThrow(message);
  });
});
