import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue, type Queued } from '../../../src/inference/workers/fairness.js';

interface Named extends Queued {
  readonly name: string;
}

const task = (name: string, dueMs: number, project?: string, tokens = 10): Named => ({ name, dueMs, project, tokens });

function drained(queue: FairQueue<Named>): string[] {
  const taken: string[] = [];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) taken.push(next.name);
  return taken;
}

describe('the queue of a project', () => {
  it('puts what found no worker back before its equals', () => {
    const queue = new FairQueue<Named>();
    for (const name of ['first', 'second']) queue.push(task(name, 7));
    const first = queue.shift();
    if (first !== undefined) queue.unshift(first);
    expect(drained(queue)).toEqual(['first', 'second']);
  });

  it('forgets what is removed, and ignores what it does not hold', () => {
    const queue = new FairQueue<Named>();
    const given = task('given up', 1);
    queue.push(given);
    expect(queue.remove(given)).toBe(true);
    expect(queue.remove(given)).toBe(false);
    expect(queue.size).toBe(0);
  });

  it('is a stable sort, whatever comes', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 })), (times) => {
        const queue = new FairQueue<Named>();
        const tasks = times.map((dueMs, index) => ({ dueMs, name: `${index}` }));
        for (const { name, dueMs } of tasks) queue.push(task(name, dueMs));
        expect(drained(queue)).toEqual(tasks.toSorted((a, b) => a.dueMs - b.dueMs).map(({ name }) => name));
      }),
    );
  });
});

describe('the queue of several projects', () => {
  const pushed = (...tasks: readonly Named[]): FairQueue<Named> => {
    const queue = new FairQueue<Named>();
    for (const each of tasks) queue.push(each);
    return queue;
  };

  it('gives whoever comes next the next turn, whatever another project has waiting', () => {
    const queue = pushed(...Array.from({ length: 50 }, (_, index) => task(`a${index}`, 0, 'a')));
    for (let taken = 0; taken < 20; taken += 1) queue.shift();
    queue.push(task('b', 1_000_000, 'b'));
    expect(queue.shift()?.name).toBe('b');
  });

  it('shares by cost: to every long piece of work of one project, many short ones of another', () => {
    const queue = pushed(
      ...Array.from({ length: 4 }, (_, index) => task(`long ${index}`, 0, 'a', 120)),
      ...Array.from({ length: 12 }, (_, index) => task(`short ${index}`, 0, 'b', 30)),
    );
    const order = drained(queue);
    for (let count = 1; count <= order.length; count += 1) {
      const taken = order.slice(0, count);
      const long = 120 * taken.filter((name) => name.startsWith('long')).length;
      const short = 30 * taken.filter((name) => name.startsWith('short')).length;
      if (short < 12 * 30 && long < 4 * 120) expect(Math.abs(long - short)).toBeLessThanOrEqual(120);
    }
  });

  it('gives nobody credit for having had nothing to do', () => {
    const queue = pushed(...Array.from({ length: 10 }, (_, index) => task(`a${index}`, 0, 'a', 100)));
    for (let taken = 0; taken < 5; taken += 1) queue.shift();
    for (let index = 0; index < 5; index += 1) queue.push(task(`b${index}`, 0, 'b', 100));
    expect(
      drained(queue)
        .slice(0, 6)
        .filter((name) => name.startsWith('b')),
    ).toHaveLength(3);
  });

  it('lets nobody gain by leaving and coming back: each finds the share that it had', () => {
    const queue = new FairQueue<Named>();
    const tokens = { busy: 0, returning: 0 };
    for (let index = 0; index < 200; index += 1) {
      queue.push(task('busy', 0, 'busy', 40));
      // Its queue is empty in between, again and again.
      queue.push(task('returning', 0, 'returning', 40));
      for (let taken = 0; taken < 2; taken += 1) {
        const next = queue.shift();
        if (next?.project === 'busy') tokens.busy += next.tokens;
        else tokens.returning += next?.tokens ?? 0;
      }
    }
    expect(Math.abs(tokens.busy - tokens.returning)).toBeLessThanOrEqual(80);
  });

  it('gives everybody who waits a turn within one round, and serves all, whatever comes', () => {
    const works = fc.array(
      fc.record({ project: fc.constantFrom('a', 'b', 'c'), tokens: fc.integer({ min: 1, max: 128 }) }),
      {
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(works, (given) => {
        const queue = pushed(...given.map(({ project, tokens }, index) => task(`${index}`, index, project, tokens)));
        const served = new Map<string | undefined, number>();
        const waiting = new Map<string | undefined, number>();
        for (const { project } of given) waiting.set(project, (waiting.get(project) ?? 0) + 1);
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
          served.set(next.project, (served.get(next.project) ?? 0) + next.tokens);
          waiting.set(next.project, (waiting.get(next.project) ?? 0) - 1);
          const shares = [...waiting].filter(([, left]) => left > 0).map(([project]) => served.get(project) ?? 0);
          if (shares.length > 1) expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(128);
        }
        expect([...waiting.values()].every((left) => left === 0)).toBe(true);
      }),
    );
  });
});
