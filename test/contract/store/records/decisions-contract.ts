/** What is kept of verdicts: written in batches, found again by each filter, and deleted. */
import { describe, expect, it } from 'vitest';
import { decisionIdAt, type Decision } from '../../../../src/decisions/decision-record.js';
import type { DecisionFilter } from '../../../../src/decisions/decision-question.js';
import {
  createDecisionRepository,
  MOST_INSERTED,
  type DecisionRepository,
} from '../../../../src/decisions/decision-repository.js';
import { createRetention } from '../../../../src/decisions/retention.js';
import { CATEGORIES } from '../../../../src/moderation/categories.js';
import { policyOfSettings } from '../../../../src/moderation/verdict-policy.js';
import { SETTINGS } from '../../../support/settings.js';
import { setUp, type StoreEngine } from '../store-engine.js';

const START = Date.UTC(2026, 10, 1);
const DAY = 24 * 60 * 60 * 1000;
const PROJECT = 'prj_shop';
const NO_LABELS = { deleteDue: () => Promise.resolve(0) };

function decisionAt(at: number, members: Partial<Decision> = {}): Decision {
  return {
    id: decisionIdAt(at),
    projectId: PROJECT,
    keyId: 'key_1',
    at,
    requestId: `request-${at}`,
    reference: undefined,
    door: '/v1/analyze',
    passed: true,
    score: 0,
    categories: [],
    language: 'en',
    policyVersion: undefined,
    content: undefined,
    deleteAt: at + 30 * DAY,
    review: undefined,
    doubt: undefined,
    ...members,
  };
}

export function describeDecisions(engine: StoreEngine): void {
  describe('decisions', () => {
    async function withDecisions(...kept: Decision[]) {
      const { sql, open } = await setUp(engine);
      const decisions = createDecisionRepository(sql);
      await decisions.insertMany(kept);
      const found = async (filter: DecisionFilter, projectId = PROJECT): Promise<Decision[]> =>
        (await decisions.search(projectId, filter, { limit: 100, withTexts: true })).decisions;
      return { decisions, found, open, sql };
    }

    it('come back as they were written, in every server', async () => {
      const full = decisionAt(START, {
        reference: 'comment-1',
        passed: false,
        score: 9,
        categories: ['toxic', 'hate'],
        policyVersion: 3,
        content: new Uint8Array([0, 1, 255]),
        review: 'open',
        doubt: 0.25,
      });
      const bare = decisionAt(START + 1, { language: undefined });
      const { open } = await withDecisions(full, bare);
      const others = createDecisionRepository((await open()).sql);
      const read = await others.find(full.id);
      expect({ ...read, content: [...(read?.content ?? [])] }).toEqual({ ...full, content: [0, 1, 255] });
      expect(await others.find(bare.id)).toEqual(bare);
      expect(await others.find(decisionIdAt(START))).toBeUndefined();
    });

    it('are all kept or none, where one of a batch is there already', async () => {
      const one = decisionAt(START);
      const { decisions, found } = await withDecisions(one);
      await expect(decisions.insertMany([decisionAt(START + 1), one])).rejects.toThrow();
      expect(await found({})).toHaveLength(1);
    });

    it.each<[string, DecisionFilter, Partial<Decision>]>([
      ['reference', { reference: 'r' }, { reference: 'r' }],
      ['request', { requestId: 'q' }, { requestId: 'q' }],
      ['language', { language: 'de' }, { language: 'de' }],
      ['door', { door: '/v1/moderations' }, { door: '/v1/moderations' }],
      ['failure', { passed: false }, { passed: false }],
      ['review', { review: 'open' }, { review: 'open' }],
      ['score', { minScore: 5 }, { score: 5 }],
      ['score from that of a band', { minScore: 7, maxScore: 8 }, { score: 8 }],
      ...CATEGORIES.map((category): [string, DecisionFilter, Partial<Decision>] => [
        category,
        { category },
        { categories: [category] },
      ]),
    ])('are found by %s, of their project and time alone, newest first', async (_, filter, members) => {
      const others: Partial<Decision>[] = [{ categories: ['severe_toxic'] }, { categories: ['toxic'] }, {}];
      const wanted = [decisionAt(START + 10, members), decisionAt(START + 20, members)];
      const { found } = await withDecisions(
        ...wanted,
        decisionAt(START, members),
        decisionAt(START + 30, members),
        decisionAt(START + 15, { ...members, projectId: 'prj_forum' }),
        ...(filter.category === undefined ? [decisionAt(START + 15)] : []),
        ...others
          .filter(({ categories = [] }) => filter.category === undefined || !categories.includes(filter.category))
          .map((other, index) => decisionAt(START + 16 + index, { ...other, score: 4, passed: true })),
      );
      const within = { from: START + 10, to: START + 30 };
      expect(await found({ ...filter, ...within })).toEqual(wanted.toReversed());
    });

    it('are found by several filters at once, page by page without a gap', async () => {
      const kept = Array.from({ length: 40 }, (_, index) =>
        decisionAt(START + index, { passed: index % 2 === 0, language: index % 3 === 0 ? 'de' : 'en' }),
      );
      const { decisions } = await withDecisions(...kept);
      const ids: string[] = [];
      let before: string | undefined;
      do {
        const page = await decisions.search(PROJECT, { passed: false, language: 'de' }, { before, limit: 3 });
        ids.push(...page.decisions.map(({ id }) => id));
        before = page.next;
      } while (before !== undefined);
      const expected = kept.filter(({ passed, language }) => !passed && language === 'de').map(({ id }) => id);
      expect(ids).toEqual(expected.toReversed());
    });

    it('that are rare are found on a later page, and no page looks at all of them', async () => {
      const rare = decisionAt(START, { door: '/v1/moderations' });
      const { decisions } = await withDecisions(rare);
      for (let batch = 0; batch < 12; batch += 1) {
        const at = START + 1 + batch * MOST_INSERTED;
        await decisions.insertMany(Array.from({ length: MOST_INSERTED }, (_, index) => decisionAt(at + index)));
      }
      const first = await decisions.search(PROJECT, { door: rare.door }, { limit: 10 });
      expect(first).toEqual({ decisions: [], next: expect.any(String) as string });
      const second = await decisions.search(PROJECT, { door: rare.door }, { limit: 10, before: first.next });
      expect(second).toEqual({ decisions: [rare], next: undefined });
    });

    it('hold no text in a list that did not ask for it', async () => {
      const { decisions } = await withDecisions(decisionAt(START, { content: new Uint8Array([1]) }));
      const page = await decisions.search(PROJECT, {}, { limit: 10 });
      expect(page.decisions.map(({ content }) => content)).toEqual([undefined]);
    });

    it('of a reference are deleted, and those of another project stay', async () => {
      const { decisions, found } = await withDecisions(
        decisionAt(START, { reference: 'r' }),
        decisionAt(START + 1, { reference: 'r' }),
        decisionAt(START + 2, { reference: 'other' }),
        decisionAt(START + 3, { reference: 'r', projectId: 'prj_forum' }),
      );
      expect(await decisions.deleteByReference(PROJECT, 'r')).toBe(2);
      expect(await found({})).toHaveLength(1);
      expect(await found({}, 'prj_forum')).toHaveLength(1);
    });

    it('are deleted when their time has come, or their project keeps them for less by now', async () => {
      const all = [0, 1, 2, 3].flatMap((day) => [
        decisionAt(START + day * DAY, { deleteAt: START + (day + 30) * DAY }),
        decisionAt(START + day * DAY, { projectId: 'prj_forum', deleteAt: START + (day + 30) * DAY }),
        decisionAt(START + day * DAY, { projectId: 'prj_quiet', deleteAt: START + (day + 30) * DAY }),
      ]);
      const { decisions, found, open } = await withDecisions(...all);
      const daysOf = new Map([
        [PROJECT, 30],
        ['prj_forum', 1],
      ]);
      const policyOf = (projectId: string) => {
        const days = daysOf.get(projectId);
        return {
          ...policyOfSettings(SETTINGS),
          ...(days !== undefined && { keep: { what: 'verdicts' as const, days } }),
        };
      };
      let now = START + 3 * DAY;
      const retentionOf = (repository: DecisionRepository) =>
        createRetention({
          decisions: repository,
          labels: NO_LABELS,
          policyOf,
          onProblem: expect.unreachable,
          now: () => new Date(now),
        });
      const counts = async () =>
        [await found({}), await found({}, 'prj_forum'), await found({}, 'prj_quiet')].map(({ length }) => length);
      const here = retentionOf(decisions);
      const there = retentionOf(createDecisionRepository((await open()).sql));
      await Promise.all([here.run(), there.run()]);
      expect(await counts()).toEqual([4, 2, 4]);
      now = START + 31 * DAY;
      await Promise.all([here.run(), there.run()]);
      expect(await counts()).toEqual([2, 0, 2]);
      now = START + 40 * DAY;
      await here.run();
      expect(await counts()).toEqual([0, 0, 0]);
    });

    it('are deleted in batches, however many they are', async () => {
      const { decisions, found } = await withDecisions(
        ...Array.from({ length: 450 }, (_, index) => decisionAt(START + index)),
      );
      const policyOf = () => policyOfSettings(SETTINGS);
      const now = () => new Date(START + 30 * DAY + 439);
      await createRetention({ decisions, labels: NO_LABELS, policyOf, onProblem: expect.unreachable, now }).run();
      expect(await found({})).toHaveLength(10);
    });

    it('that could not be kept are counted by day', async () => {
      const { decisions } = await withDecisions();
      await decisions.noteLost([{ projectId: PROJECT, day: '2026-11-01', lost: 3 }]);
      await decisions.noteLost([
        { projectId: PROJECT, day: '2026-11-01', lost: 2 },
        { projectId: PROJECT, day: '2026-11-02', lost: 1 },
        { projectId: 'prj_forum', day: '2026-11-02', lost: 9 },
      ]);
      expect(await decisions.lostSince(PROJECT, '2026-11-01')).toBe(6);
      expect(await decisions.lostSince(PROJECT, '2026-11-02')).toBe(1);
    });
  });
}
