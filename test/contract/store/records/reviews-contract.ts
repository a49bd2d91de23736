/** What every engine promises of reviews: each decision is judged once, whoever asks, and what was said can be taken back. */
import { describe, expect, it } from 'vitest';
import { decisionIdAt, type Decision } from '../../../../src/decisions/decision-record.js';
import { createDecisionRepository } from '../../../../src/decisions/decision-repository.js';
import { agreementOf } from '../../../../src/reviews/agreement.js';
import { appealOutcomeOf, type Judgement } from '../../../../src/reviews/review-record.js';
import { wantsSecondReview } from '../../../../src/reviews/review-of.js';
import { CLAIM_MS } from '../../../../src/reviews/review-queue.js';
import { createReviews } from '../../../../src/reviews/review-repository.js';
import type { Store } from '../../../../src/storage/store.js';
import { setUp, type StoreEngine } from '../store-engine.js';

const [ANN, BOB] = ['acc_ann', 'acc_bob'] as const;
const RIGHT: Judgement = { outcome: 'right', shouldPass: true, categories: [], note: undefined };
const WRONG: Judgement = { outcome: 'wrong', shouldPass: true, categories: ['spam'], note: Buffer.from('a note') };

/** Kept as if each were a second after the one before it. */
async function keep(store: Store, at: number, decisions: readonly Partial<Decision>[]): Promise<string[]> {
  const kept = decisions.map((decision, index): Decision => {
    const time = at + index * 1000;
    return {
      id: decisionIdAt(time),
      projectId: 'prj_shop',
      keyId: 'key_one',
      at: time,
      requestId: `request-${index}`,
      reference: undefined,
      door: '/v1/analyze',
      passed: false,
      score: 5,
      categories: ['insult', 'toxic'],
      language: 'en',
      policyVersion: 1,
      content: undefined,
      deleteAt: time + 1e9,
      review: 'open',
      doubt: 0.5,
      ...decision,
    };
  });
  await createDecisionRepository(store.sql).insertMany(kept);
  return kept.map(({ id }) => id);
}

/** @param share that is judged twice */
async function setUpReviews(engine: StoreEngine, decisions: readonly Partial<Decision>[] = [{}], share = 0) {
  const { store, clock, open } = await setUp(engine);
  const ids = await keep(store, clock.now().getTime(), decisions);
  const reviewsOn = ({ sql }: Store) =>
    createReviews({ database: sql, now: clock.now, secondReviewsOf: () => Promise.resolve(share) });
  const onOtherServer = async () => reviewsOn(await open());
  return { store, clock, onOtherServer, reviews: reviewsOn(store), ids, first: ids[0] ?? '' };
}

export function describeReviews(engine: StoreEngine): void {
  describe('the queue of reviews', () => {
    it('is of what is open, the most doubtful first, of one project or all', async () => {
      const { reviews, ids } = await setUpReviews(engine, [
        { doubt: 0.3, content: Buffer.from('encrypted') },
        { doubt: 0.1, projectId: 'prj_other' },
        { review: undefined, doubt: undefined },
        { doubt: 0.2 },
        { review: 'right', doubt: 0 },
      ]);
      const order: (string | undefined)[] = [];
      for (const except of [[], [ids[1]], [ids[1], ids[3]]]) {
        order.push((await reviews.next(ANN, { except: except.flatMap((id) => id ?? []) }))?.id);
      }
      expect(order).toEqual([ids[1], ids[3], ids[0]]);
      expect(await reviews.next(ANN, { projectId: 'prj_other' })).toMatchObject({
        id: ids[1],
        categories: ['insult', 'toxic'],
      });
      expect(await reviews.next(ANN, { except: ids })).toBeUndefined();
      const { content } = (await reviews.next(ANN, { projectId: 'prj_shop', except: [ids[3] ?? ''] })) ?? {};
      expect(Buffer.from(content ?? []).toString()).toBe('encrypted');
      expect([await reviews.waiting(ANN), await reviews.waiting(ANN, 'prj_shop')]).toEqual([3, 2]);
    });

    it('gives what one has taken to nobody else, until it is given back or the time is over', async () => {
      const { reviews, clock, first } = await setUpReviews(engine);
      expect((await reviews.next(ANN, {}))?.id).toBe(first);
      expect(await reviews.next(BOB, {})).toBeUndefined();
      await expect(reviews.judge(BOB, first, RIGHT)).rejects.toThrow('Somebody else is judging');
      await reviews.release(BOB, [first]);
      expect(await reviews.next(BOB, {})).toBeUndefined();
      expect((await reviews.next(ANN, {}))?.id).toBe(first);
      await reviews.release(ANN, [first]);
      expect((await reviews.next(BOB, {}))?.id).toBe(first);
      clock.advance(CLAIM_MS);
      expect((await reviews.next(ANN, {}))?.id).toBe(first);
    });

    it('is judged by two at once on two servers: nothing twice, and nothing left out', async () => {
      const { reviews, onOtherServer, ids } = await setUpReviews(
        engine,
        Array.from({ length: 30 }, (_, index) => ({ doubt: (index % 5) / 10 })),
      );
      const others = await onOtherServer();
      const judged: string[] = [];
      const workThrough = async (of: typeof reviews, reviewer: string): Promise<void> => {
        for (let next; (next = await of.next(reviewer, {})) !== undefined;) {
          judged.push((await of.judge(reviewer, next.id, RIGHT)).decisionId);
        }
      };
      await Promise.all([workThrough(reviews, ANN), workThrough(others, BOB)]);
      expect(judged.toSorted()).toEqual(ids.toSorted());
    });
  });

  describe('a review', () => {
    it('is told with what is right, once, in the order of its writing', async () => {
      const { reviews, ids } = await setUpReviews(engine, [{ reference: 'post-7' }, {}, { projectId: 'prj_other' }]);
      for (const [index, judgement] of [WRONG, RIGHT, RIGHT].entries()) {
        await reviews.judge(ANN, ids[index] ?? '', judgement);
      }
      const [wrong, right, ...more] = await reviews.list('prj_shop', 0, 10);
      expect(wrong).toMatchObject({
        decisionId: ids[0],
        reference: 'post-7',
        outcome: 'wrong',
        shouldPass: true,
        categories: ['spam'],
      });
      expect(right).toMatchObject({
        decisionId: ids[1],
        outcome: 'right',
        shouldPass: false,
        categories: ['toxic', 'insult'],
      });
      expect(more).toEqual([]);
      expect(await reviews.list('prj_shop', wrong?.sequence ?? 0, 10)).toEqual([right]);
      await expect(reviews.judge(BOB, ids[0] ?? '', RIGHT)).rejects.toThrow('judged this decision already');
      await expect(reviews.judge(BOB, 'none', RIGHT)).rejects.toThrow('no such decision');
    });

    it('is taken back by whoever wrote it, the last one first, on another server too', async () => {
      const { reviews, onOtherServer, ids } = await setUpReviews(engine, [{}, {}]);
      for (const id of ids) await reviews.judge(ANN, id, RIGHT);
      const others = await onOtherServer();
      await expect(others.undo(BOB)).rejects.toThrow('nothing of yours');
      expect((await others.undo(ANN)).id).toBe(ids[1]);
      expect(await reviews.next(BOB, {})).toBeUndefined();
      expect((await others.undo(ANN)).id).toBe(ids[0]);
      await expect(others.undo(ANN)).rejects.toThrow('nothing of yours');
      await others.judge(ANN, ids[0] ?? '', WRONG);
      const told = await reviews.list('prj_shop', 0, 10);
      expect(told.map(({ decisionId, outcome }) => [decisionId, outcome])).toEqual([
        [ids[0], 'right'],
        [ids[1], 'right'],
        [ids[1], 'undone'],
        [ids[0], 'undone'],
        [ids[0], 'wrong'],
      ]);
    });

    it('goes with its decision, and the next one is still told to who has read it', async () => {
      const { store, reviews, clock, first } = await setUpReviews(engine, [{ deleteAt: 1 }]);
      const { sequence } = await reviews.judge(ANN, first, WRONG);
      await createDecisionRepository(store.sql).deleteDue({ deleteAt: 1 }, 10);
      expect(await reviews.list('prj_shop', 0, 10)).toEqual([]);
      clock.advance(1);
      const [later = ''] = await keep(store, clock.now().getTime(), [{}]);
      await reviews.judge(ANN, later, RIGHT);
      expect(await reviews.list('prj_shop', sequence, 10)).toMatchObject([{ decisionId: later }]);
    });
  });

  describe('an appeal', () => {
    it('comes first in the queue with what it says, and its outcome is whether the decision stands', async () => {
      const { reviews, ids } = await setUpReviews(engine, [{ doubt: 0 }, { review: undefined, doubt: undefined }]);
      const appealed = ids[1] ?? '';
      const { id } = await reviews.appeal('prj_shop', appealed, Buffer.from('but why'));
      await expect(reviews.appeal('prj_shop', appealed, undefined)).rejects.toThrow('open already');
      const next = await reviews.next(ANN, {});
      expect(next).toMatchObject({ id: appealed, appeal: { id } });
      expect(Buffer.from(next?.appeal?.content ?? []).toString()).toBe('but why');
      const reversed = await reviews.judge(ANN, appealed, WRONG);
      expect([reversed.appealId, appealOutcomeOf(reversed)]).toEqual([id, 'reversed']);
      // Against what came of the first.
      const again = await reviews.appeal('prj_shop', appealed, undefined);
      await expect(reviews.undo(ANN)).rejects.toThrow('An appeal was made since');
      const upheld = await reviews.judge(BOB, appealed, RIGHT);
      expect([upheld.appealId, appealOutcomeOf(upheld)]).toEqual([again.id, 'upheld']);
    });

    it('is open again once its outcome is taken back', async () => {
      const { reviews, first } = await setUpReviews(engine);
      const { id } = await reviews.appeal('prj_shop', first, undefined);
      await reviews.judge(ANN, first, RIGHT);
      expect((await reviews.undo(ANN)).appeal?.id).toBe(id);
      await expect(reviews.appeal('prj_shop', first, undefined)).rejects.toThrow('open already');
    });

    it('is made against a kept decision of the project alone, and one at a time', async () => {
      const { reviews, first } = await setUpReviews(engine);
      await expect(reviews.appeal('prj_other', first, undefined)).rejects.toThrow('no such decision');
      const outcomes = await Promise.allSettled([1, 2, 3].map(() => reviews.appeal('prj_shop', first, undefined)));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });
  });

  describe('a second review', () => {
    const twice = (decisions?: readonly Partial<Decision>[]) => setUpReviews(engine, decisions, 1);

    it('is by somebody else, to whom the decision comes in its place, and counts where it differs', async () => {
      const { store, reviews, ids } = await twice([{ doubt: 0.2 }, { doubt: 0.1 }, { doubt: 0.3 }]);
      const [, second = ''] = ids;
      await reviews.judge(ANN, second, RIGHT);
      const reviewed = async () => (await createDecisionRepository(store.sql).find(second))?.review;
      expect(await reviewed()).toBe('right');
      expect((await reviews.next(ANN, {}))?.id).toBe(ids[0]);
      expect((await reviews.next(BOB, {}))?.id).toBe(second);
      await reviews.judge(BOB, second, WRONG);
      expect(await reviewed()).toBe('wrong');
      expect((await reviews.list('prj_shop', 0, 10)).map(({ outcome }) => outcome)).toEqual(['right', 'wrong']);
      for (const reviewer of [ANN, BOB, 'acc_cat']) {
        await expect(reviews.judge(reviewer, second, RIGHT)).rejects.toThrow('judged this decision already');
      }
    });

    it('leaves nothing that one alone could wait for', async () => {
      const { reviews, ids } = await twice([{}, {}, { projectId: 'prj_other' }]);
      for (const id of ids) await reviews.judge(ANN, id, RIGHT);
      expect(await reviews.next(ANN, {})).toBeUndefined();
      expect([await reviews.waiting(ANN), await reviews.waiting(ANN, 'prj_shop')]).toEqual([0, 0]);
      expect([await reviews.waiting(BOB), await reviews.waiting(BOB, 'prj_shop')]).toEqual([3, 2]);
      await expect(reviews.judge(ANN, ids[0] ?? '', WRONG)).rejects.toThrow('judged this decision already');
    });

    it('is of each decision where all are judged twice, by two at once on two servers, never by one twice', async () => {
      const { reviews, onOtherServer, ids } = await twice(
        Array.from({ length: 20 }, (_, index) => ({ doubt: index % 5 })),
      );
      const others = await onOtherServer();
      const judged: string[] = [];
      const workThrough = async (of: typeof reviews, reviewer: string): Promise<void> => {
        while ((await of.waiting(reviewer)) > 0) {
          const next = await of.next(reviewer, {});
          if (next !== undefined) judged.push(`${(await of.judge(reviewer, next.id, RIGHT)).decisionId} ${reviewer}`);
        }
      };
      await Promise.all([workThrough(reviews, ANN), workThrough(others, BOB)]);
      expect(judged.toSorted()).toEqual(ids.flatMap((id) => [`${id} ${ANN}`, `${id} ${BOB}`]).toSorted());
    });

    it('is of the share that the hash of the id says, also once it is judged anew', async () => {
      const { reviews, ids } = await setUpReviews(
        engine,
        Array.from({ length: 40 }, () => ({})),
        0.3,
      );
      const chosen = ids.filter((id) => wantsSecondReview(id, 0.3)).length;
      for (const id of ids) await reviews.judge(ANN, id, RIGHT);
      expect(await reviews.waiting(BOB)).toBe(chosen);
      for (let left = ids.length; left > 0; left -= 1) await reviews.undo(ANN);
      expect(await reviews.waiting(BOB)).toBe(ids.length);
      for (const id of ids) await reviews.judge(ANN, id, WRONG);
      expect(await reviews.waiting(BOB)).toBe(chosen);
    });

    it('is not once the first is taken back, whoever had it, and comes after the next one', async () => {
      const { reviews, first } = await twice();
      await reviews.judge(ANN, first, RIGHT);
      expect((await reviews.next(BOB, {}))?.id).toBe(first);
      expect((await reviews.undo(ANN)).id).toBe(first);
      await expect(reviews.judge(BOB, first, RIGHT)).rejects.toThrow('Somebody else is judging');
      await reviews.judge(ANN, first, WRONG);
      await reviews.judge(BOB, first, RIGHT);
      await expect(reviews.judge(ANN, first, RIGHT)).rejects.toThrow('judged this decision already');
    });

    it('keeps the first from being taken back, until it is taken back itself: then the first counts and waits', async () => {
      const { store, reviews, first } = await twice();
      await reviews.judge(ANN, first, RIGHT);
      await reviews.judge(BOB, first, WRONG);
      await expect(reviews.undo(ANN)).rejects.toThrow('Somebody else has judged since');
      expect((await reviews.undo(BOB)).id).toBe(first);
      expect((await createDecisionRepository(store.sql).find(first))?.review).toBe('right');
      expect(await reviews.next('acc_cat', {})).toBeUndefined();
      await expect(reviews.judge(ANN, first, RIGHT)).rejects.toThrow('judged this decision already');
      expect((await reviews.undo(ANN)).id).toBe(first);
      expect((await createDecisionRepository(store.sql).find(first))?.review).toBe('open');
      await expect(reviews.judge(BOB, first, RIGHT)).rejects.toThrow('Somebody else is judging');
      const told = await reviews.list('prj_shop', 0, 10);
      expect(told.map(({ outcome }) => outcome)).toEqual(['right', 'wrong', 'undone', 'undone']);
    });

    it('makes way for an appeal, which anybody judges, once', async () => {
      const { reviews, first } = await twice();
      await reviews.judge(ANN, first, RIGHT);
      await reviews.appeal('prj_shop', first, undefined);
      await expect(reviews.undo(ANN)).rejects.toThrow('An appeal was made since');
      expect((await reviews.next(ANN, {}))?.id).toBe(first);
      const upheld = await reviews.judge(ANN, first, RIGHT);
      expect(appealOutcomeOf(upheld)).toBe('upheld');
      expect([await reviews.waiting(ANN), await reviews.waiting(BOB)]).toEqual([0, 0]);
      await reviews.undo(ANN);
      expect(await reviews.waiting(BOB)).toBe(1);
      expect((await reviews.next(ANN, {}))?.appeal?.id).toBe(upheld.appealId);
    });
  });

  describe('agreement', () => {
    it('is of first and second reviews that nobody took back, with the latest that differ', async () => {
      const { store, reviews, ids } = await setUpReviews(
        engine,
        [{}, {}, {}, {}, {}, { projectId: 'prj_other' }, { review: undefined }],
        1,
      );
      const [both = '', differ = '', order = '', undone = '', alone = '', other = '', appealed = ''] = ids;
      const wrongAs = (...categories: Judgement['categories']): Judgement => ({ ...WRONG, categories });
      for (const [id, ...judgements] of [
        [both, RIGHT, RIGHT],
        [differ, RIGHT, WRONG],
        [order, wrongAs('spam', 'insult'), wrongAs('insult', 'spam', 'spam')],
        [other, RIGHT, WRONG],
        [undone, RIGHT, WRONG],
        [alone, RIGHT],
      ] as const) {
        for (const [index, judgement] of judgements.entries())
          await reviews.judge(index === 0 ? ANN : BOB, id, judgement);
      }
      // The last of each.
      await reviews.undo(BOB);
      await reviews.undo(ANN);
      await reviews.judge(ANN, alone, RIGHT);
      await reviews.appeal('prj_shop', alone, undefined);
      await reviews.judge(BOB, alone, WRONG);
      await reviews.appeal('prj_shop', appealed, undefined);
      await reviews.judge(BOB, appealed, WRONG);
      const { pairs, passing, categories, differing } = await agreementOf(store.sql, 'prj_shop');
      expect([pairs, passing.agreeing]).toEqual([3, 2]);
      expect(passing.kappa?.value).toBeCloseTo(0.4);
      expect(Object.fromEntries(categories.map(({ category, agreeing }) => [category, agreeing]))).toMatchObject({
        ...{ toxic: 2, insult: 2, spam: 2, threat: 3 },
      });
      expect(categories.find(({ category }) => category === 'threat')?.kappa).toBeNull();
      expect(differing).toEqual([
        {
          decisionId: differ,
          first: { shouldPass: false, categories: ['toxic', 'insult'] },
          second: { shouldPass: true, categories: ['spam'] },
        },
      ]);
      expect(await agreementOf(store.sql, 'prj_none')).toMatchObject({
        pairs: 0,
        passing: { agreeing: 0, kappa: null },
      });
    });
  });
}
