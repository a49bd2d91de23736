/** Promises of the one place where texts wait: who is let in, who is next, what a worker takes, and what becomes of what is lost or given up. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/caller.js';
import type { Task, TaskOutcome, TaskResult } from '../../../src/inference/workers/messages.js';
import { createScheduler, type Scheduler } from '../../../src/inference/workers/scheduler.js';

type Sequence = string;

interface Execution {
  readonly texts: readonly string[];
  answer(): void;
  die(): void;
}

/** @param doTasks what a worker does with the texts of its tasks */
function schedulerOf(
  workers: number,
  doTasks: (texts: readonly string[]) => Promise<readonly TaskOutcome<Sequence>[]>,
  places = Infinity,
): Scheduler<Sequence> {
  let busy = 0;
  return createScheduler<Sequence>({
    workers,
    places,
    free: () => workers - busy,
    execute(tasks) {
      busy += 1;
      return doTasks(tasks.map(textOf)).finally(() => (busy -= 1));
    },
  });
}

/** Workers that do what the test says, when it says so. */
function createWorkers(workers: number, places?: number) {
  const executions: Execution[] = [];
  const execute = (texts: readonly string[]): Promise<TaskOutcome<Sequence>[]> =>
    new Promise((resolve, reject) => {
      executions.push({
        texts,
        answer: () => resolve(texts.map(resultOf)),
        die: () => reject(new Error('the worker died')),
      });
    });
  return { scheduler: schedulerOf(workers, execute, places), executions };
}

const textOf = (task: Task<Sequence>): string => ('text' in task ? task.text : '');

/** Marked with the text, so that a test sees whose result it got. */
const resultOf = (text: string): TaskResult<Sequence> => ({
  judged: [],
  unjudged: [text],
  whole: undefined,
  foreignLetters: 0,
  tokenizeMs: 0,
  inferMs: 0,
});

interface Submitted extends Caller {
  readonly tokens?: number;
  readonly dueMs?: number;
}

/** A text of one task. @returns the text that its result is marked with */
async function submit(
  scheduler: Scheduler<Sequence>,
  text: string,
  { tokens = 10, dueMs = 0, ...caller }: Submitted = {},
) {
  const { unjudged } = await scheduler.admit(caller, (run) => run({ task: () => ({ text }), dueMs, tokens }));
  return unjudged[0];
}

const textsOf = (executions: readonly Execution[]): (readonly string[])[] => executions.map(({ texts }) => texts);

/** Lets everything run that is ready to. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the scheduler', () => {
  it('gives each free worker one text, and no worker a second one while it is busy', async () => {
    const { scheduler, executions } = createWorkers(2);
    const answers = ['a', 'bb', 'ccc'].map((text) => submit(scheduler, text));
    expect(textsOf(executions)).toEqual([['a'], ['bb']]);
    executions[1]?.answer();
    await expect(answers[1]).resolves.toBe('bb');
    expect(textsOf(executions)).toEqual([['a'], ['bb'], ['ccc']]);
  });

  it('gives several texts at once only where every worker has several waiting, and each its own result', async () => {
    const { scheduler, executions } = createWorkers(1);
    const answers = ['a', 'bb', 'ccc', 'dddd', 'eeeee', 'ffffff', 'ggggggg'].map((text) => submit(scheduler, text));
    // The list grows meanwhile.
    for (const execution of executions) {
      execution.answer();
      await settled();
    }
    expect(executions.map(({ texts }) => texts.length)).toEqual([1, 3, 2, 1]);
    expect(await Promise.all(answers)).toEqual(['a', 'bb', 'ccc', 'dddd', 'eeeee', 'ffffff', 'ggggggg']);
  });

  it('gives no more at once than about one full sequence', async () => {
    const { scheduler, executions } = createWorkers(1);
    for (const text of ['first', 'a', 'b', 'c', 'd', 'e', 'f', 'g']) void submit(scheduler, text, { tokens: 60 });
    executions[0]?.answer();
    await settled();
    expect(executions[1]?.texts).toEqual(['a', 'b']);
  });

  it('forgets what is given up while it waits, and answers the others', async () => {
    const { scheduler, executions } = createWorkers(1);
    const controller = new AbortController();
    const first = submit(scheduler, 'first');
    const given = submit(scheduler, 'given up', { signal: controller.signal });
    const last = submit(scheduler, 'last');
    controller.abort(new Error('gone'));
    await expect(given).rejects.toThrow('gone');
    executions[0]?.answer();
    await first;
    executions[1]?.answer();
    await last;
    expect(textsOf(executions)).toEqual([['first'], ['last']]);
  });

  it('refuses at once what is given up before it begins', async () => {
    const { scheduler, executions } = createWorkers(1);
    await expect(submit(scheduler, 'late', { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
    expect(executions).toEqual([]);
  });

  it('rejects at once what is given up while a worker has it, and is not idle before the worker is', async () => {
    const { scheduler, executions } = createWorkers(1);
    const controller = new AbortController();
    const given = submit(scheduler, 'given up', { signal: controller.signal });
    controller.abort(new Error('gone'));
    await expect(given).rejects.toThrow('gone');
    let isIdle = false;
    const idle = scheduler.idle().then(() => (isIdle = true));
    await settled();
    expect(isIdle).toBe(false);
    executions[0]?.answer();
    await idle;
  });

  it('tries the tasks of a lost worker again: alone, before all that waits, and in its order', async () => {
    const { scheduler, executions } = createWorkers(1);
    const names = ['first', 'a', 'b', 'c', 'd', 'e'];
    const answers = names.map((text) => submit(scheduler, text));
    executions[0]?.answer();
    await settled();
    expect(executions[1]?.texts).toEqual(['a', 'b', 'c']);
    executions[1]?.die();
    await settled();
    for (let next = 2; next < executions.length; next += 1) {
      executions[next]?.answer();
      await settled();
    }
    expect(textsOf(executions.slice(2))).toEqual([['a'], ['b'], ['c'], ['d'], ['e']]);
    expect(await Promise.all(answers)).toHaveLength(names.length);
  });

  it('gives up what two workers were lost with, and goes on', async () => {
    const { scheduler, executions } = createWorkers(1);
    const poison = submit(scheduler, 'poison');
    const refused = expect(poison).rejects.toMatchObject({
      name: 'WorkerLostError',
      cause: new Error('the worker died'),
    });
    const next = submit(scheduler, 'next');
    executions[0]?.die();
    await settled();
    executions[1]?.die();
    await refused;
    executions[2]?.answer();
    await expect(next).resolves.toBe('next');
  });

  it('gives up all that waits when no worker can be started, and takes what comes later', async () => {
    const { scheduler, executions } = createWorkers(1);
    const first = submit(scheduler, 'first');
    const waiting = submit(scheduler, 'waiting');
    scheduler.fail(new Error('no memory'));
    await expect(waiting).rejects.toMatchObject({ name: 'WorkerLostError', cause: new Error('no memory') });
    executions[0]?.answer();
    await first;
    const later = submit(scheduler, 'later');
    executions[1]?.answer();
    await expect(later).resolves.toBe('later');
  });

  it('does not try again what nobody waits for', async () => {
    const { scheduler, executions } = createWorkers(1);
    const controller = new AbortController();
    const given = submit(scheduler, 'given up', { signal: controller.signal });
    controller.abort(new Error('gone'));
    await expect(given).rejects.toThrow('gone');
    executions[0]?.die();
    await scheduler.idle();
    expect(executions).toHaveLength(1);
  });

  it('rejects what the worker says that it could not do, and answers the rest of what it was given', async () => {
    const scheduler = schedulerOf(1, (texts) =>
      Promise.resolve(texts.map((text) => (text === 'bad' ? { failure: 'no probability' } : resultOf(text)))),
    );
    const outcomes = await Promise.allSettled(['good', 'good', 'bad', 'good'].map((text) => submit(scheduler, text)));
    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      { status: 'fulfilled' },
      { status: 'rejected', reason: { name: 'TaskFailedError', message: 'no probability' } },
      { status: 'fulfilled' },
    ]);
  });

  it('takes an answer of too few results for a failure, never for a verdict', async () => {
    const scheduler = schedulerOf(1, () => Promise.resolve([]));
    await expect(submit(scheduler, 'text')).rejects.toMatchObject({ name: 'TaskFailedError' });
  });

  it('makes a task when a worker is free for it and not before, and answers the rest where that fails', async () => {
    const { scheduler, executions } = createWorkers(1);
    const prepared: string[] = [];
    const work = (text: string) =>
      scheduler.run({
        task: () => {
          prepared.push(text);
          if (text === 'faulty') throw new Error('a fault');
          return { text };
        },
        dueMs: 0,
        tokens: 10,
      });
    const first = work('first');
    const faulty = expect(work('faulty')).rejects.toThrow('a fault');
    const last = work('last');
    expect(prepared).toEqual(['first']);
    executions[0]?.answer();
    await first;
    await faulty;
    for (const execution of executions.slice(1)) execution.answer();
    await settled();
    executions.at(-1)?.answer();
    await last;
    expect(prepared).toEqual(['first', 'faulty', 'last']);
  });

  it('answers everything with its own result, whatever dies once and whatever its size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.record({ tokens: fc.integer({ min: 1, max: 300 }), dueMs: fc.nat(5) }), { maxLength: 30 }),
        fc.infiniteStream(fc.boolean()),
        async (workers, works, dies) => {
          const deaths = new Map<string, number>();
          const scheduler = schedulerOf(workers, async (texts) => {
            await settled();
            if (texts.every((text) => !deaths.has(text)) && dies.next().value === true) {
              for (const text of texts) deaths.set(text, 1);
              throw new Error('the worker died');
            }
            return texts.map(resultOf);
          });
          const answers = works.map((work, index) => submit(scheduler, 'x'.repeat(index), work));
          expect((await Promise.all(answers)).map((text) => text?.length)).toEqual(works.map((_, index) => index));
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('the places of texts', () => {
  /** Texts of a project that wait, named by their number, and what became of them. */
  function fill(scheduler: Scheduler<Sequence>, project: string, count: number, refused: string[]): void {
    for (let index = 0; index < count; index += 1) {
      const name = `${project}${index}`;
      submit(scheduler, name, { project }).catch(() => refused.push(name));
    }
  }

  it('are refused to a project alone that wants too many, and nothing that was let in is lost', async () => {
    const { scheduler, executions } = createWorkers(1, 3);
    const refused: string[] = [];
    fill(scheduler, 'a', 3, refused);
    await expect(submit(scheduler, 'late', { project: 'a' })).rejects.toMatchObject({ code: 'queue_full' });
    executions[0]?.answer();
    await settled();
    fill(scheduler, 'a', 1, refused);
    await settled();
    expect(refused).toEqual([]);
    expect(scheduler.size).toBe(3);
  });

  it('go to a project that holds fewer, from the newest waiting text of the one that holds most', async () => {
    const { scheduler, executions } = createWorkers(2, 6);
    const refused: string[] = [];
    fill(scheduler, 'a', 5, refused);
    fill(scheduler, 'b', 1, refused);
    fill(scheduler, 'c', 1, refused);
    await settled();
    expect(refused).toEqual(['a4']);
    expect(scheduler.size).toBe(6);
    expect(textsOf(executions)).toEqual([['a0'], ['a1']]);
  });

  it('are taken from what a worker has begun only where nothing else waits', async () => {
    const { scheduler } = createWorkers(3, 3);
    const refused: string[] = [];
    fill(scheduler, 'a', 3, refused);
    fill(scheduler, 'b', 1, refused);
    await settled();
    expect(refused).toEqual(['a2']);
  });

  it('do not move to and fro between projects that hold as many', async () => {
    const { scheduler } = createWorkers(1, 4);
    const refused: string[] = [];
    fill(scheduler, 'a', 2, refused);
    fill(scheduler, 'b', 2, refused);
    await expect(submit(scheduler, 'late', { project: 'b' })).rejects.toMatchObject({ code: 'queue_full' });
    expect(refused).toEqual([]);
  });

  it('are never more than there are, and never refused to whoever holds fewer than an even share', async () => {
    const steps = fc.array(fc.record({ project: fc.constantFrom('a', 'b', 'c', 'd'), leaves: fc.boolean() }));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 4, max: 12 }), steps, async (places, given) => {
        const { scheduler } = createWorkers(1, places);
        const held = new Map<string, Set<AbortController>>();
        for (const { project, leaves } of given) {
          const own = held.get(project) ?? new Set();
          held.set(project, own);
          const controller = new AbortController();
          own.add(controller);
          submit(scheduler, 'text', { project, signal: controller.signal }).catch(() => own.delete(controller));
          await settled();
          if (!own.has(controller)) expect(own.size + 1).toBeGreaterThan(Math.floor(places / held.size));
          const [oldest] = own;
          if (leaves) oldest?.abort(new Error('gone'));
          await settled();
          expect(scheduler.size).toBeLessThanOrEqual(places);
          expect(scheduler.size).toBe([...held.values()].reduce((sum, { size }) => sum + size, 0));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('are left at once by a text of which one task has failed, and its other tasks are not begun', async () => {
    const { scheduler, executions } = createWorkers(1);
    const failing = scheduler.admit({}, (run) =>
      Promise.all([
        run({ task: () => ({ text: 'first' }), dueMs: 0, tokens: 200 }),
        run({
          task: () => {
            throw new Error('a fault');
          },
          dueMs: 0,
          tokens: 200,
        }),
        run({ task: () => ({ text: 'third' }), dueMs: 0, tokens: 200 }),
      ]),
    );
    executions[0]?.answer();
    await expect(failing).rejects.toThrow('a fault');
    for (const execution of executions) execution.answer();
    await scheduler.idle();
    expect(executions.flatMap(({ texts }) => texts)).toEqual(['first']);
  });
});
