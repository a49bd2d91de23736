/** What every engine promises of labels: each text once, with what was said of it last, whoever said it, and gone in time. */
import { describe, expect, it } from 'vitest';
import { decisionIdAt } from '../../../../src/decisions/decision-record.js';
import { createDecisionRepository } from '../../../../src/decisions/decision-repository.js';
import { createTextCipher } from '../../../../src/decisions/text-cipher.js';
import type { GivenLabel, TextLabel } from '../../../../src/labelling/label-record.js';
import { createLabels, type Labels } from '../../../../src/labelling/labels.js';
import type { LabelCategory } from '../../../../src/moderation/categories.js';
import { createReviews } from '../../../../src/reviews/review-repository.js';
import type { Store } from '../../../../src/storage/store.js';
import { keepDecisions, DECISION_KEYS } from '../../../support/dashboard/kept-decisions.js';
import { setUp, type StoreEngine } from '../store-engine.js';

const SHOP = 'prj_shop';
const cipher = createTextCipher(DECISION_KEYS);

function label(
  text: string,
  truth: Partial<Record<LabelCategory, boolean>>,
  members: Partial<GivenLabel> = {},
): GivenLabel {
  const entries = Object.entries(truth) as [LabelCategory, boolean][];
  return { text, language: undefined, shouldPass: undefined, truth: new Map(entries), ...members };
}

async function all(labels: Labels, projectId = SHOP): Promise<TextLabel[]> {
  const found: TextLabel[] = [];
  for await (const each of labels.each(projectId)) found.push(each);
  return found;
}

async function judged(store: Store, text: string, shouldPass: boolean): Promise<string> {
  const [id = ''] = await keepDecisions(store.sql, SHOP, [{ text }]);
  const judgement = { outcome: 'wrong', shouldPass, categories: ['spam'], note: undefined } as const;
  await createReviews({ database: store.sql }).judge('acc_ann', id, judgement);
  return id;
}

export function describeLabels(engine: StoreEngine): void {
  describe('labels', () => {
    async function setUpLabels() {
      const { store, clock, open } = await setUp(engine);
      return { store, clock, open, labels: createLabels(store.sql, cipher, clock.now) };
    }

    it('are of reviews, suggestions and imports of one project, with their texts', async () => {
      const { store, labels } = await setUpLabels();
      await labels.keep(SHOP, 'import', [
        label('one', { insult: true, hate: false }, { language: 'de', shouldPass: false }),
      ]);
      await labels.keep(SHOP, 'suggestion', [label('two', { toxic: true })], 1e15);
      await labels.keep('prj_forum', 'import', [label('three', { spam: true })]);
      const id = await judged(store, 'four', true);
      const found = (await all(labels)).sort((a, b) => a.text.localeCompare(b.text));
      expect(found).toMatchObject([
        { id, text: 'four', source: 'review', language: 'en', shouldPass: true },
        { text: 'one', source: 'import', language: 'de', shouldPass: false },
        { text: 'two', source: 'suggestion', language: undefined, shouldPass: undefined },
      ]);
      const [review, imported, suggested] = found;
      expect([review?.truth.get('spam'), review?.truth.get('toxic'), review?.truth.size]).toEqual([true, false, 9]);
      expect([...(imported?.truth ?? [])].sort()).toEqual([
        ['hate', false],
        ['insult', true],
      ]);
      expect([...(suggested?.truth ?? [])]).toEqual([['toxic', true]]);
      const kept = await store.sql.read<{ content: Uint8Array; id: string }>('select id, content from parapet.label');
      expect(
        kept.map(({ content, id: named }) => Buffer.from(content).toString('latin1') + named).join(' '),
      ).not.toMatch(/one|two|three/);
    });

    it('of the same text are joined, and the later one counts', async () => {
      const { labels, clock } = await setUpLabels();
      await labels.keep(SHOP, 'import', [
        label('a', { insult: true, spam: true }, { language: 'en', shouldPass: false }),
      ]);
      clock.advance(1000);
      await labels.keep(SHOP, 'import', [
        label('a', { insult: false, hate: true }),
        label('b', { spam: false }),
        label('b', { spam: true }),
      ]);
      const [b, a] = (await all(labels)).sort((one, other) => other.text.localeCompare(one.text));
      expect([b?.truth, a?.language, a?.shouldPass]).toEqual([new Map([['spam', true]]), 'en', false]);
      expect(new Map(a?.truth)).toEqual(
        new Map([
          ['hate', true],
          ['insult', false],
          ['spam', true],
        ]),
      );
      await labels.keep(SHOP, 'suggestion', [label('a', { toxic: true })], 1e15);
      clock.advance(1000);
      await labels.keep(SHOP, 'import', [label('c', { toxic: false })]);
      const latest = await labels.latest(SHOP, 3);
      expect(latest.map(({ text }) => text)[0]).toBe('c');
      expect(latest.filter(({ text }) => text === 'a').length).toBeLessThanOrEqual(1);
    });

    it('are counted by what they say', async () => {
      const { store, labels } = await setUpLabels();
      const many = Array.from({ length: 600 }, (_, index) => label(`text ${index}`, { spam: index % 3 === 0 }));
      await labels.keep(SHOP, 'import', many);
      await judged(store, 'reviewed', false);
      const counts = await labels.counts(SHOP);
      const of = (source: string, spam: boolean) =>
        counts.filter((count) => count.source === source && count.truth.get('spam') === spam).map(({ texts }) => texts);
      expect([of('import', true), of('import', false), of('review', true)]).toEqual([[200], [400], [1]]);
      expect(await all(labels)).toHaveLength(601);
      expect(await labels.counts('prj_forum')).toEqual([]);
    });

    it('of a review that was taken back, or whose decision is gone, are none', async () => {
      const { store, labels } = await setUpLabels();
      await judged(store, 'taken back', true);
      await createReviews({ database: store.sql }).undo('acc_ann');
      const id = await judged(store, 'deleted', true);
      expect((await all(labels)).map(({ text }) => text)).toEqual(['deleted']);
      await store.sql.change((ask) => ask('delete from parapet.decision where id = $1', [id]));
      expect(await all(labels)).toEqual([]);
    });

    it('of suggestions go in time, or sooner where less is kept; those that were imported stay until they are deleted', async () => {
      const { labels, clock } = await setUpLabels();
      const at = clock.now().getTime();
      await labels.keep(SHOP, 'suggestion', [label('first', { toxic: true })], at + 1000);
      await labels.keep(SHOP, 'import', [label('kept', { toxic: true })]);
      expect(await labels.deleteDue({ deleteAt: at + 999 }, 10)).toBe(0);
      expect(await labels.deleteDue({ deleteAt: at + 1000 }, 10)).toBe(1);
      await labels.keep(SHOP, 'suggestion', [label('second', { toxic: true })], 1e15);
      expect(await labels.deleteDue({ projectId: 'prj_forum', before: at + 1 }, 10)).toBe(0);
      expect(await labels.deleteDue({ projectId: SHOP, before: at + 1 }, 10)).toBe(1);
      await labels.keep(SHOP, 'suggestion', [label('third', { toxic: true })], 1e15);
      expect(await labels.deleteAll(SHOP, 'suggestion')).toBe(1);
      expect((await all(labels)).map(({ text }) => text)).toEqual(['kept']);
    });

    it('need a key, and are left out where theirs is gone', async () => {
      const { store, labels } = await setUpLabels();
      await expect(createLabels(store.sql, undefined).keep(SHOP, 'import', [label('a', {})])).rejects.toThrow(
        'DECISIONS_KEY',
      );
      await labels.keep(SHOP, 'import', [label('a', { spam: true })]);
      const later = createLabels(store.sql, createTextCipher([Buffer.alloc(32, 9)]));
      expect(await all(later)).toEqual([]);
    });

    it('kept by several servers at once are all there', async () => {
      const { labels, open } = await setUpLabels();
      const other = createLabels((await open()).sql, cipher);
      const texts = (from: number) =>
        Array.from({ length: 300 }, (_, index) => label(`t${from + index}`, { spam: true }));
      await Promise.all([labels.keep(SHOP, 'import', texts(0)), other.keep(SHOP, 'import', texts(150))]);
      expect(await all(labels)).toHaveLength(450);
    });
  });

  describe('a sample of kept texts', () => {
    it('stands for the decisions since a time, at equal distances, newest first, without those that have no text', async () => {
      const { store, clock } = await setUp(engine);
      const start = clock.now().getTime();
      const kept = Array.from({ length: 100 }, (_, index) => ({
        ...{ id: decisionIdAt(start + index), at: start + index, text: `t${index}` },
        ...(index === 97 && { content: undefined }),
      }));
      const decisions = createDecisionRepository(store.sql);
      await keepDecisions(store.sql, SHOP, kept);
      await keepDecisions(store.sql, 'prj_forum', [{}]);
      const sample = await decisions.sample(SHOP, start + 10, 30);
      expect(sample.of).toBe(90);
      expect(sample.decisions.map(({ at }) => at - start).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 30 }, (_, index) => 12 + index * 3),
      );
      expect(
        (await decisions.sample(SHOP, start + 99, 30)).decisions.map(({ content }) => content !== undefined),
      ).toEqual([true]);
      expect(await decisions.sample('prj_none', 0, 30)).toEqual({ of: 0, decisions: [] });
    });
  });
}
