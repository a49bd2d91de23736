import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WorkQueue, type Due } from '../../../src/inference/workers/work-queue.js';

interface Named extends Due {
  readonly name: string;
}

const task = (name: string, dueMs: number): Named => ({ name, dueMs });

function drained(queue: WorkQueue<Named>): string[] {
  const taken: string[] = [];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) taken.push(next.name);
  return taken;
}

describe('the queue', () => {
  it('gives what is due first, and in order of arrival what is due at the same time', () => {
    const queue = new WorkQueue<Named>();
    for (const [name, dueMs] of [
      ['long', 5000],
      ['short', 110],
      ['long, again', 5000],
      ['shorter', 100],
    ] as const) {
      queue.push(task(name, dueMs));
    }
    expect(queue.size).toBe(4);
    expect(drained(queue)).toEqual(['shorter', 'short', 'long', 'long, again']);
    expect(queue.shift()).toBeUndefined();
  });

  it('lets a long text go before short ones that come late enough', () => {
    const queue = new WorkQueue<Named>();
    queue.push(task('long, at 0 ms', 5000));
    queue.push(task('short, at 6 s', 6100));
    expect(drained(queue)).toEqual(['long, at 0 ms', 'short, at 6 s']);
  });

  it('puts what found no worker back before its equals', () => {
    const queue = new WorkQueue<Named>();
    for (const name of ['first', 'second']) queue.push(task(name, 7));
    const first = queue.shift();
    if (first !== undefined) queue.unshift(first);
    expect(drained(queue)).toEqual(['first', 'second']);
  });

  it('shows what is next without giving it', () => {
    const queue = new WorkQueue<Named>();
    expect(queue.peek()).toBeUndefined();
    queue.push(task('later', 2));
    queue.push(task('next', 1));
    expect(queue.peek()?.name).toBe('next');
    expect(drained(queue)).toEqual(['next', 'later']);
  });

  it('forgets what is removed, and ignores what it does not hold', () => {
    const queue = new WorkQueue<Named>();
    const given = task('given up', 1);
    queue.push(given);
    expect(queue.remove(given)).toBe(true);
    expect(queue.remove(given)).toBe(false);
    expect(queue.size).toBe(0);
  });

  it('is a stable sort, whatever comes', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 })), (times) => {
        const queue = new WorkQueue<Named>();
        const tasks = times.map((dueMs, index) => ({ dueMs, name: `${index}` }));
        for (const { name, dueMs } of tasks) queue.push(task(name, dueMs));
        expect(drained(queue)).toEqual(tasks.toSorted((a, b) => a.dueMs - b.dueMs).map(({ name }) => name));
      }),
    );
  });
});
