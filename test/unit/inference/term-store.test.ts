/** Promises of compiled lists: each is compiled once, one at a time in fair turns, and none is dropped that somebody reads. */
import { describe, expect, it } from 'vitest';
import type { Terms } from '../../../src/caller.js';
import { createTermStore } from '../../../src/inference/workers/term-store.js';
import type { TermLists } from '../../../src/text/terms/compiled-terms.js';

const BYTES_OF_LIST = 16;

interface Compilation {
  readonly term: string | undefined;
  finish(): void;
  fail(): void;
}

const termsOf = (term: string): Terms => ({ blocked: [term], ignored: [], digest: term });

/** Compiles when the test says so. */
function createStore(lists = 2) {
  const compilations: Compilation[] = [];
  const problems: string[] = [];
  const store = createTermStore({
    mostBytes: lists * BYTES_OF_LIST,
    onProblem: (problem) => problems.push(problem),
    compile: ({ blocked }: TermLists) =>
      new Promise((resolve, reject) => {
        compilations.push({
          term: blocked[0],
          finish: () => resolve(new ArrayBuffer(BYTES_OF_LIST)),
          fail: () => reject(new Error('no memory')),
        });
      }),
  });
  return { store, compilations, problems, compiled: () => compilations.map(({ term }) => term) };
}

/** Lets everything run that is ready to. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function finishAll(compilations: readonly Compilation[]): Promise<void> {
  // The list grows meanwhile.
  for (const compilation of compilations) {
    compilation.finish();
    await settled();
  }
}

describe('compiled terms', () => {
  it('are compiled once for all who wait for them and all who come later', async () => {
    const { store, compilations } = createStore();
    const held = [store.hold(termsOf('a'), 'shop'), store.hold(termsOf('a'), 'shop')];
    await finishAll(compilations);
    const [first, second] = await Promise.all(held.map(({ ready }) => ready));
    expect(second).toBe(first);
    for (const { release } of held) release();
    expect(await store.hold(termsOf('a'), 'forum').ready).toBe(first);
    expect(compilations).toHaveLength(1);
  });

  it('are compiled one list at a time, and a project with many waits behind one with few', async () => {
    const { store, compilations, compiled } = createStore(10);
    for (const term of ['a1', 'a2', 'a3', 'a4']) store.hold(termsOf(term), 'busy');
    store.hold(termsOf('b1'), 'other');
    await settled();
    expect(compiled()).toEqual(['a1']);
    await finishAll(compilations);
    expect(compiled()).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
  });

  it('are not compiled where nobody waits any more', async () => {
    const { store, compilations, compiled } = createStore();
    store.hold(termsOf('a'), 'shop');
    store.hold(termsOf('b'), 'shop').release();
    store.hold(termsOf('c'), 'shop');
    await finishAll(compilations);
    expect(compiled()).toEqual(['a', 'c']);
  });

  it('are dropped where room is needed, those first that were used longest ago, and compiled anew', async () => {
    const { store, compilations, compiled } = createStore(2);
    const use = async (term: string): Promise<void> => {
      const { ready, release } = store.hold(termsOf(term), 'shop');
      await finishAll(compilations);
      await ready;
      release();
    };
    for (const term of ['a', 'b', 'a', 'c', 'a', 'b']) await use(term);
    expect(compiled()).toEqual(['a', 'b', 'c', 'b']);
  });

  it('stay where they are while a worker reads them, also when nobody waits for the text', async () => {
    const { store, compilations } = createStore(1);
    const { ready, release } = store.hold(termsOf('a'), 'shop');
    await finishAll(compilations);
    const place = await ready;
    let end: (() => void) | undefined;
    const reading = store.during([place], () => new Promise<void>((resolve) => (end = resolve)));
    release();
    let isThere = false;
    void store.hold(termsOf('b'), 'shop').ready.then(() => (isThere = true));
    await finishAll(compilations.slice(1));
    compilations[1]?.finish();
    await settled();
    expect(isThere).toBe(false);
    end?.();
    await reading;
    await expect.poll(() => isThere).toBe(true);
  });

  it('that cannot be compiled fail those who wait, are told without a term, and are tried again', async () => {
    const { store, compilations, problems } = createStore();
    const failed = store.hold(termsOf('secret'), 'shop');
    await settled();
    compilations[0]?.fail();
    await expect(failed.ready).rejects.toMatchObject({ code: 'model_not_ready', retryAfterSeconds: 1 });
    failed.release();
    expect(problems).toEqual(['a list of terms could not be compiled: no memory']);
    const again = store.hold(termsOf('secret'), 'shop');
    await settled();
    compilations[1]?.finish();
    await expect(again.ready).resolves.toMatchObject({ offset: 0 });
  });

  it('that wait when the classifier ends fail, and are not compiled', async () => {
    const { store, compilations } = createStore();
    const held = ['a', 'b'].map((term) => store.hold(termsOf(term), 'shop').ready);
    await settled();
    store.close();
    compilations[0]?.fail();
    for (const ready of held) await expect(ready).rejects.toMatchObject({ code: 'shutting_down' });
    expect(compilations).toHaveLength(1);
  });
});
