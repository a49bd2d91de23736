import { queueOptionsSymbol } from 'piscina';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { due, FairQueue, type Due } from '../../../src/inference/onnx/fair-queue.js';

interface Named extends Due {
  readonly name: string;
}

const task = (name: string, dueMs: number): Named => ({ name, ...due(dueMs) });

function drained(queue: FairQueue): unknown[] {
  const taken: unknown[] = [];
  for (let next = queue.shift(); next !== null; next = queue.shift()) taken.push((next as Named).name);
  return taken;
}

describe('the queue', () => {
  it('gives what is due first, and in order of arrival what is due at the same time', () => {
    const queue = new FairQueue();
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
    expect(queue.shift()).toBeNull();
  });

  it('lets a long text go before short ones that come late enough', () => {
    const queue = new FairQueue();
    queue.push(task('long, at 0 ms', 5000));
    queue.push(task('short, at 6 s', 6100));
    expect(drained(queue)).toEqual(['long, at 0 ms', 'short, at 6 s']);
  });

  it('puts what found no worker back before its equals', () => {
    const queue = new FairQueue();
    for (const name of ['first', 'second']) queue.push(task(name, 7));
    const first = queue.shift();
    if (first !== null) queue.unshift(first);
    expect(drained(queue)).toEqual(['first', 'second']);
  });

  it('puts work without a time before all other', () => {
    const queue = new FairQueue();
    queue.push(task('a text', 1));
    queue.push({ name: 'a worker is to start', [queueOptionsSymbol]: null } as never);
    expect(drained(queue)).toEqual(['a worker is to start', 'a text']);
  });

  it('forgets what is removed, and ignores what it does not hold', () => {
    const queue = new FairQueue();
    const given = task('given up', 1);
    queue.push(given);
    queue.remove(given);
    queue.remove(given);
    expect(queue.size).toBe(0);
  });

  it('is a stable sort, whatever comes', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 })), (times) => {
        const queue = new FairQueue();
        const tasks = times.map((dueMs, index) => ({ dueMs, name: `${index}` }));
        for (const { name, dueMs } of tasks) queue.push(task(name, dueMs));
        expect(drained(queue)).toEqual(tasks.toSorted((a, b) => a.dueMs - b.dueMs).map(({ name }) => name));
      }),
    );
  });
});
