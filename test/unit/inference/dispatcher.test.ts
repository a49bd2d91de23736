import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Run } from '../../../src/inference/runs.js';
import { createDispatcher, type Dispatcher } from '../../../src/inference/workers/dispatcher.js';
import type { Portion, PortionOutcome, Work, WorkResult } from '../../../src/inference/workers/messages.js';

/** Workers that do what the test says, when it says so. */
function createWorkers(workers: number) {
  const portions: { texts: string[]; answer: () => void; die: () => void }[] = [];
  const textsOf = (portion: Portion<Run>): string[] => portion.map(textOf);
  const dispatcher = createDispatcher<Run>({
    workers,
    execute: (portion) =>
      new Promise<PortionOutcome<Run>>((resolve, reject) => {
        portions.push({
          texts: textsOf(portion),
          answer: () => resolve(textsOf(portion).map(resultOf)),
          die: () => reject(new Error('the worker died')),
        });
      }),
  });
  return { dispatcher, portions };
}

const textOf = (work: Work<Run>): string => ('text' in work ? work.text : '');

/** Marked with the text's length, so that a test sees whose result it got. */
const resultOf = (text: string): WorkResult<Run> => ({
  judged: [],
  unjudged: [{ start: 0, end: text.length, ids: [] }],
  whole: undefined,
  foreignLetters: 0,
  tokenizeMs: 0,
  inferMs: 0,
});

const submit = (
  dispatcher: Dispatcher<Run>,
  text: string,
  options: { tokens?: number; dueMs?: number; signal?: AbortSignal } = {},
) =>
  dispatcher.submit(
    () => ({ text }),
    { project: undefined, dueMs: options.dueMs ?? 0, tokens: options.tokens ?? 10 },
    options.signal,
  );

/** Lets everything run that is ready to. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the dispatcher', () => {
  it('gives each free worker one text, and no worker a second one while it is busy', async () => {
    const { dispatcher, portions } = createWorkers(2);
    const answers = ['a', 'bb', 'ccc'].map((text) => submit(dispatcher, text));
    expect(portions.map(({ texts }) => texts)).toEqual([['a'], ['bb']]);
    portions[1]?.answer();
    await expect(answers[1]).resolves.toMatchObject({ unjudged: [{ end: 2 }] });
    expect(portions.map(({ texts }) => texts)).toEqual([['a'], ['bb'], ['ccc']]);
  });

  it('gives several texts at once only where every worker has several waiting, and each its own result', async () => {
    const { dispatcher, portions } = createWorkers(1);
    const answers = ['a', 'bb', 'ccc', 'dddd', 'eeeee', 'ffffff', 'ggggggg'].map((text) => submit(dispatcher, text));
    // The list grows meanwhile.
    for (const portion of portions) {
      portion.answer();
      await settled();
    }
    expect(portions.map(({ texts }) => texts.length)).toEqual([1, 3, 2, 1]);
    expect(await Promise.all(answers)).toMatchObject(
      [1, 2, 3, 4, 5, 6, 7].map((length) => ({ unjudged: [{ end: length }] })),
    );
  });

  it('puts no more into a portion than about one full run', async () => {
    const { dispatcher, portions } = createWorkers(1);
    for (const text of ['first', 'a', 'b', 'c', 'd', 'e', 'f', 'g']) void submit(dispatcher, text, { tokens: 60 });
    portions[0]?.answer();
    await settled();
    expect(portions[1]?.texts).toEqual(['a', 'b']);
  });

  it('forgets what is given up while it waits, and answers the others', async () => {
    const { dispatcher, portions } = createWorkers(1);
    const controller = new AbortController();
    const first = submit(dispatcher, 'first');
    const given = submit(dispatcher, 'given up', { signal: controller.signal });
    const last = submit(dispatcher, 'last');
    controller.abort(new Error('gone'));
    await expect(given).rejects.toThrow('gone');
    portions[0]?.answer();
    await first;
    portions[1]?.answer();
    await last;
    expect(portions.map(({ texts }) => texts)).toEqual([['first'], ['last']]);
  });

  it('refuses at once what is given up before it begins', async () => {
    const { dispatcher, portions } = createWorkers(1);
    await expect(submit(dispatcher, 'late', { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
    expect(portions).toEqual([]);
  });

  it('rejects at once what is given up while a worker has it, and is not idle before the worker is', async () => {
    const { dispatcher, portions } = createWorkers(1);
    const controller = new AbortController();
    const given = submit(dispatcher, 'given up', { signal: controller.signal });
    controller.abort(new Error('gone'));
    await expect(given).rejects.toThrow('gone');
    let isIdle = false;
    const idle = dispatcher.idle().then(() => (isIdle = true));
    await settled();
    expect(isIdle).toBe(false);
    portions[0]?.answer();
    await idle;
  });

  it('tries the work of a lost worker again: alone, before all that waits, and in its order', async () => {
    const { dispatcher, portions } = createWorkers(1);
    const names = ['first', 'a', 'b', 'c', 'd', 'e'];
    const answers = names.map((text) => submit(dispatcher, text));
    portions[0]?.answer();
    await settled();
    expect(portions[1]?.texts).toEqual(['a', 'b', 'c']);
    portions[1]?.die();
    await settled();
    for (let next = 2; next < portions.length; next += 1) {
      portions[next]?.answer();
      await settled();
    }
    expect(portions.slice(2).map(({ texts }) => texts)).toEqual([['a'], ['b'], ['c'], ['d'], ['e']]);
    expect(await Promise.all(answers)).toHaveLength(names.length);
  });

  it('gives up what two workers were lost with, and goes on', async () => {
    const { dispatcher, portions } = createWorkers(1);
    const poison = submit(dispatcher, 'poison');
    const refused = expect(poison).rejects.toMatchObject({
      name: 'WorkerLostError',
      cause: new Error('the worker died'),
    });
    const next = submit(dispatcher, 'next');
    portions[0]?.die();
    await settled();
    portions[1]?.die();
    await refused;
    portions[2]?.answer();
    await expect(next).resolves.toMatchObject({ unjudged: [{ end: 4 }] });
  });

  it('does not try again what nobody waits for', async () => {
    const { dispatcher, portions } = createWorkers(1);
    const controller = new AbortController();
    const given = submit(dispatcher, 'given up', { signal: controller.signal });
    controller.abort(new Error('gone'));
    await expect(given).rejects.toThrow('gone');
    portions[0]?.die();
    await dispatcher.idle();
    expect(portions).toHaveLength(1);
  });

  it('rejects what the worker says that it could not do, and answers the rest of the portion', async () => {
    const dispatcher = createDispatcher<Run>({
      workers: 1,
      execute: (portion) =>
        Promise.resolve(
          portion.map((work) => (textOf(work) === 'bad' ? { failure: 'no probability' } : resultOf('good'))),
        ),
    });
    const outcomes = await Promise.allSettled(['good', 'good', 'bad', 'good'].map((text) => submit(dispatcher, text)));
    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      { status: 'fulfilled' },
      { status: 'rejected', reason: { name: 'RunFailedError', message: 'no probability' } },
      { status: 'fulfilled' },
    ]);
  });

  it('takes an answer of too few results for a failure, never for a verdict', async () => {
    const dispatcher = createDispatcher<Run>({ workers: 1, execute: () => Promise.resolve([]) });
    await expect(submit(dispatcher, 'text')).rejects.toMatchObject({ name: 'RunFailedError' });
  });

  it('prepares work when a worker is free for it and not before, and answers the rest where that fails', async () => {
    const { dispatcher, portions } = createWorkers(1);
    const prepared: string[] = [];
    const work = (text: string) =>
      dispatcher.submit(
        () => {
          prepared.push(text);
          if (text === 'faulty') throw new Error('a fault');
          return { text };
        },
        { project: undefined, dueMs: 0, tokens: 10 },
      );
    const first = work('first');
    const faulty = expect(work('faulty')).rejects.toThrow('a fault');
    const last = work('last');
    expect(prepared).toEqual(['first']);
    portions[0]?.answer();
    await first;
    await faulty;
    for (const portion of portions.slice(1)) portion.answer();
    await settled();
    portions.at(-1)?.answer();
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
          const dispatcher = createDispatcher<Run>({
            workers,
            async execute(portion) {
              await settled();
              const texts = portion.map(textOf);
              if (texts.every((text) => !deaths.has(text)) && dies.next().value === true) {
                for (const text of texts) deaths.set(text, 1);
                throw new Error('the worker died');
              }
              return texts.map(resultOf);
            },
          });
          const answers = works.map((work, index) => submit(dispatcher, 'x'.repeat(index), work));
          expect((await Promise.all(answers)).map(({ unjudged }) => unjudged[0]?.end)).toEqual(
            works.map((_, index) => index),
          );
        },
      ),
      { numRuns: 50 },
    );
  });
});
