/** Promises of compiled lists: each is compiled once, one at a time in fair turns, and none is dropped that somebody reads. */
import { describe, expect, it } from 'vitest';
import type { Terms } from '../../../src/caller.js';
import type { ServiceError } from '../../../src/errors.js';
import { createTermStore, type TermStore } from '../../../src/inference/workers/term-store.js';
import type { TermsPlace } from '../../../src/text/terms/compiled-terms.js';

const BYTES_OF_LIST = 16;

interface Compilation {
  readonly term: string;
  finish(): void;
  fail(): void;
}

const termsOf = (term: string): Terms => ({
  lists: () => term,
  characters: term.length,
  digest: term,
});

/** Compiles when the test says so. */
function createStore(lists = 2, places = 100) {
  const compilations: Compilation[] = [];
  const problems: string[] = [];
  const store = createTermStore({
    places,
    mostBytes: lists * BYTES_OF_LIST,
    onProblem: (problem) => problems.push(problem),
    compile: (term) =>
      new Promise((resolve, reject) => {
        compilations.push({
          term,
          finish: () => resolve(new ArrayBuffer(BYTES_OF_LIST)),
          fail: () => reject(new Error('no memory')),
        });
      }),
  });
  return { store, compilations, problems, compiled: () => compilations.map(({ term }) => term) };
}

/** A text that is read from when its lists are ready to its release. */
function hold(store: TermStore, term: string, project: string) {
  const controller = new AbortController();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const ready = new Promise<TermsPlace>((resolve, reject) => {
    const read = (place: TermsPlace): Promise<void> => {
      resolve(place);
      return released;
    };
    store.use(termsOf(term), { project, signal: controller.signal }, read).catch(reject);
  });
  ready.catch(() => undefined);
  return { ready, release, giveUp: () => controller.abort(new Error('gone')) };
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
    const held = [hold(store, 'a', 'shop'), hold(store, 'a', 'shop')];
    await finishAll(compilations);
    const [first, second] = await Promise.all(held.map(({ ready }) => ready));
    expect(second).toBe(first);
    for (const { release } of held) release();
    expect(await hold(store, 'a', 'forum').ready).toBe(first);
    expect(compilations).toHaveLength(1);
  });

  it('are compiled one list at a time, and a project with many waits behind one with few', async () => {
    const { store, compilations, compiled } = createStore(10);
    for (const term of ['a1', 'a2', 'a3', 'a4']) hold(store, term, 'busy');
    hold(store, 'b1', 'other');
    await settled();
    expect(compiled()).toEqual(['a1']);
    await finishAll(compilations);
    expect(compiled()).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
  });

  it('are not compiled where nobody waits any more', async () => {
    const { store, compilations, compiled } = createStore();
    hold(store, 'a', 'shop');
    const given = hold(store, 'b', 'shop');
    hold(store, 'c', 'shop');
    given.giveUp();
    await expect(given.ready).rejects.toThrow('gone');
    await finishAll(compilations);
    expect(compiled()).toEqual(['a', 'c']);
  });

  it('are dropped where room is needed, those first that were used longest ago, and compiled anew', async () => {
    const { store, compilations, compiled } = createStore(2);
    const use = async (term: string): Promise<void> => {
      const { ready, release } = hold(store, term, 'shop');
      await finishAll(compilations);
      await ready;
      release();
    };
    for (const term of ['a', 'b', 'a', 'c', 'a', 'b']) await use(term);
    expect(compiled()).toEqual(['a', 'b', 'c', 'b']);
  });

  it('stay where they are while a worker reads them, also when nobody waits for the text', async () => {
    const { store, compilations } = createStore(1);
    const { ready, release } = hold(store, 'a', 'shop');
    await finishAll(compilations);
    const place = await ready;
    let end: (() => void) | undefined;
    const reading = store.during([place], () => new Promise<void>((resolve) => (end = resolve)));
    release();
    let isThere = false;
    void hold(store, 'b', 'shop').ready.then(() => (isThere = true));
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
    const failed = hold(store, 'secret', 'shop');
    await settled();
    compilations[0]?.fail();
    await expect(failed.ready).rejects.toMatchObject({ code: 'model_not_ready', retryAfterSeconds: 1 });
    failed.release();
    expect(problems).toEqual(['a list of terms could not be compiled: no memory']);
    const again = hold(store, 'secret', 'shop');
    await settled();
    compilations[1]?.finish();
    await expect(again.ready).resolves.toMatchObject({ offset: 0 });
  });

  it('have so many texts wait for them at most, and whoever has most makes room', async () => {
    const { store, compilations } = createStore(10, 3);
    const ofBusy = ['a', 'b', 'c'].map((term) => hold(store, term, 'busy'));
    const ofOthers = ['one', 'two', 'three'].map((project) => hold(store, project, project));
    await finishAll(compilations);
    const told = (held: readonly { ready: Promise<TermsPlace> }[]) =>
      Promise.all(
        held.map(({ ready }) =>
          ready.then(
            () => 'read',
            (error: unknown) => (error as ServiceError).code,
          ),
        ),
      );
    expect(await told(ofBusy)).toEqual(['read', 'queue_full', 'queue_full']);
    expect(await told(ofOthers)).toEqual(['read', 'read', 'queue_full']);
    // What is compiled waits for nothing.
    const more = Array.from({ length: 5 }, () => hold(store, 'a', 'busy'));
    expect(await told(more)).toEqual(Array(5).fill('read'));
    let isIdle = false;
    void store.idle().then(() => (isIdle = true));
    for (const { release } of [...ofBusy, ...ofOthers]) release();
    await settled();
    expect(isIdle).toBe(false);
    for (const { release } of more) release();
    await expect.poll(() => isIdle).toBe(true);
  });

  it('that wait when the classifier ends fail, and are not compiled', async () => {
    const { store, compilations } = createStore();
    const held = ['a', 'b'].map((term) => hold(store, term, 'shop').ready);
    await settled();
    store.close();
    compilations[0]?.fail();
    for (const ready of held) await expect(ready).rejects.toMatchObject({ code: 'shutting_down' });
    expect(compilations).toHaveLength(1);
  });
});
