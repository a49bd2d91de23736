/** Promises of the command line: sensible defaults, and a sentence for whatever is wrong. */
import { describe, expect, it } from 'vitest';
import { parseLoadArguments } from '../../../../benchmarks/load/arguments.js';

describe('the arguments of bench:load', () => {
  it('have defaults for a run that counts', () => {
    expect(parseLoadArguments([])).toEqual({
      rounds: 5,
      measureMs: 8000,
      warmUpMs: 1000,
      workers: 2,
      arrivals: 'poisson',
      soakRequests: 500_000,
      texts: undefined,
      peers: undefined,
      json: undefined,
      html: undefined,
    });
  });

  it('are shortened by --quick, save for what is given', () => {
    expect(parseLoadArguments(['--quick', '--rounds', '2'])).toMatchObject({
      rounds: 2,
      measureMs: 1000,
      soakRequests: 0,
    });
  });

  it.each([
    [['--rounds', '0'], '--rounds'],
    [['--seconds', 'x'], '--seconds'],
    [['--seconds', '0'], '--seconds'],
    [['--arrivals', 'odd'], '--arrivals'],
    [['--python', 'python3'], '--peers'],
    [['--text-column', 'a'], '--texts'],
    [['--nonsense'], 'nonsense'],
    [['stray'], 'stray'],
  ])('are refused with the flag that is wrong: %j', (argv, named) => {
    expect(() => parseLoadArguments(argv)).toThrow(named);
  });
});
