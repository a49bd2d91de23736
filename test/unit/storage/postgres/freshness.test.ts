/** Promises of what is kept of a database: nothing changed is kept, one question serves a moment, and the grace has an end. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { OperatorError } from '../../../../src/errors.js';
import { createFreshness, type Change } from '../../../../src/storage/postgres/freshness.js';
import { deferred, type Deferred } from '../../../support/deferred.js';

const GRACE_MS = 30_000;

const changeOf = (revision: number, token = `t${revision}`, id = `key_${revision}`): Change => ({
  revision: String(revision),
  token,
  kind: 'key',
  id,
});

/** A database that answers when the test says so. */
function setUp(graceMs = GRACE_MS) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const questions: (Deferred<readonly Change[]> & { since: string | undefined })[] = [];
  const dropped: (readonly Change[] | 'all')[] = [];
  const freshness = createFreshness({
    location: 'the database',
    changesSince(since) {
      const question = deferred<readonly Change[]>();
      questions.push({ ...question, since });
      return question.promise;
    },
    graceMs,
    nowMs: () => Date.now(),
  });
  freshness.onChange((changes) => dropped.push(changes));
  onTestFinished(() => freshness.close());
  const answer = (...changes: Change[]) => questions.at(-1)?.resolve(changes);
  const fail = () => questions.at(-1)?.reject(new OperatorError('the database is away'));
  /** With nothing to wait for. */
  async function begun() {
    const refreshed = freshness.refresh();
    await settled();
    answer(changeOf(7));
    await refreshed;
    dropped.length = 0;
  }
  return { freshness, questions, dropped, answer, fail, begun };
}

async function settled(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  const open = Symbol('open');
  await settled();
  return (await Promise.race([promise.catch(() => undefined), Promise.resolve(open)])) === open;
}

describe('a refresh', () => {
  it('drops nothing where the latest revision is the one that is known', async () => {
    const { freshness, questions, dropped, answer, begun } = setUp();
    await begun();
    const refreshed = freshness.refresh();
    await settled();
    expect(questions.at(-1)?.since).toBe('7');
    answer(changeOf(7));
    await refreshed;
    expect(dropped).toEqual([]);
  });

  it('drops what later revisions changed, and asks from the last of them on', async () => {
    const { freshness, questions, dropped, answer, begun } = setUp();
    await begun();
    const refreshed = freshness.refresh();
    await settled();
    answer(changeOf(7), changeOf(8), changeOf(9));
    await refreshed;
    expect(dropped).toEqual([[changeOf(8), changeOf(9)]]);
    void freshness.refresh();
    await settled();
    expect(questions.at(-1)?.since).toBe('9');
  });

  it.each([
    ['another change has the revision that is known', [changeOf(7, 'other')]],
    ['another has it, and later ones follow', [changeOf(7, 'other'), changeOf(8)]],
    ['the revision that is known is not there any more', [changeOf(12)]],
    ['the database went back behind it', []],
  ])('drops everything where %s', async (_, changes) => {
    const { freshness, dropped, answer, begun } = setUp();
    await begun();
    const refreshed = freshness.refresh();
    await settled();
    answer(...changes);
    await refreshed;
    expect(dropped).toEqual(['all']);
  });

  it('waits for a question that begins after it, and all of a moment share one', async () => {
    const { freshness, questions, answer, begun } = setUp();
    await begun();
    const first = freshness.refresh();
    await settled();
    const later = Array.from({ length: 200 }, () => freshness.refresh());
    await settled();
    expect(questions).toHaveLength(2);
    answer(changeOf(7));
    await first;
    expect(await isOpen(Promise.race(later))).toBe(true);
    expect(questions).toHaveLength(3);
    answer(changeOf(7));
    await Promise.all(later);
    expect(questions).toHaveLength(3);
  });
});

describe('while the database is away', () => {
  it('what is kept counts for the grace, from the last question that was answered, and then no more', async () => {
    const { freshness, begun, fail } = setUp();
    await begun();
    await vi.advanceTimersByTimeAsync(500);
    const refreshed = freshness.refresh();
    await settled();
    fail();
    await refreshed;
    expect(() => freshness.refuseWhileAway()).toThrow('away');
    await vi.advanceTimersByTimeAsync(GRACE_MS - 501);
    await freshness.refresh();
    freshness.check();
    await vi.advanceTimersByTimeAsync(1);
    await expect(freshness.refresh()).rejects.toThrow('away');
    expect(() => freshness.check()).toThrow('away');
  });

  it('nothing counts where the grace is 0', async () => {
    const { freshness, begun, fail } = setUp(0);
    await begun();
    const refreshed = freshness.refresh();
    await settled();
    fail();
    await expect(refreshed).rejects.toThrow('away');
  });

  it('nobody waits for it but the first, one question at a time goes on, and its answer ends it', async () => {
    const { freshness, questions, dropped, begun, answer, fail } = setUp();
    await begun();
    const refreshed = freshness.refresh();
    await settled();
    fail();
    await refreshed;
    await vi.advanceTimersByTimeAsync(5000);
    const asked = questions.length;
    await Promise.all(Array.from({ length: 50 }, () => freshness.refresh()));
    expect([asked, questions.length]).toEqual([3, 3]);
    answer(changeOf(7), changeOf(8));
    await settled();
    expect(dropped).toEqual([[changeOf(8)]]);
    freshness.refuseWhileAway();
    expect(await isOpen(freshness.refresh())).toBe(true);
  });

  it('a server that nobody asks knows it too, and its grace began with the last answer', async () => {
    const { freshness, questions, begun, answer, fail } = setUp();
    await begun();
    await vi.advanceTimersByTimeAsync(1000);
    expect(questions).toHaveLength(2);
    answer(changeOf(7));
    await vi.advanceTimersByTimeAsync(1250);
    fail();
    await settled();
    expect(() => freshness.refuseWhileAway()).toThrow('away');
    await freshness.refresh();
  });
});
