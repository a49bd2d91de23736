/** A great number of decisions of one month, the same each time, and the questions that they are found by. */
import process from 'node:process';
import { createDecisionIds, type Decision } from '../../src/decisions/decision-record.js';
import type { DecisionFilter } from '../../src/decisions/decision-question.js';
import { MOST_INSERTED, type DecisionRepository } from '../../src/decisions/decision-repository.js';
import type { Category } from '../../src/moderation/categories.js';
import { sized } from './scale.js';

/** DECISIONS says another number, for a run by hand. */
export const COUNT = Number(process.env.DECISIONS ?? sized({ short: 30_000, long: 1_000_000 }));
const DAY = 24 * 60 * 60 * 1000;
const START = Date.UTC(2026, 9, 1);

/** One a minute is rarer than this; what is common and what is hardly there must both be found. */
const CATEGORY_SHARES: readonly (readonly [Category, number])[] = [
  ['toxic', 0.08],
  ['insult', 0.04],
  ['threat', 0.002],
  ['self_harm', 0.0005],
  ['spam', 0.000_01],
];
const LANGUAGE_SHARES = [
  ['ja', 0.0001],
  ['fr', 0.05],
  ['de', 0.25],
  ['en', 1],
] as const;

/** Numerical Recipes' generator: the same decisions each time. */
function chanceFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

function* madeUp(projectId: string, openShare: number): Generator<Decision> {
  const chance = chanceFrom(1);
  const idAt = createDecisionIds();
  for (let index = 0; index < COUNT; index += 1) {
    const at = START + Math.floor((index / COUNT) * 30 * DAY);
    const categories = CATEGORY_SHARES.filter(([, share]) => chance() < share).map(([category]) => category);
    const passed = categories.length === 0;
    const pick = chance();
    yield {
      id: idAt(at),
      projectId: chance() < 0.9 ? projectId : 'prj_fedcba9876543210',
      keyId: 'key_0123456789abcdef',
      at,
      requestId: `${Math.floor(chance() * 2 ** 32).toString(16)}-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
      reference: `comment-${index % 200_000}`,
      door: '/v1/analyze',
      passed,
      score: passed ? Math.floor(chance() * 4) : 4 + Math.floor(chance() * 7),
      categories,
      language: LANGUAGE_SHARES.find(([, share]) => pick < share)?.[0],
      policyVersion: 3,
      content: undefined,
      deleteAt: at + 365 * DAY,
      ...(index % 1000 < openShare * 1000
        ? { review: 'open', doubt: chance() }
        : { review: undefined, doubt: undefined }),
    };
  }
}

/** @param openShare of them wait for a reviewer. Those of another project are a tenth. */
export async function fill(decisions: DecisionRepository, projectId: string, openShare = 0): Promise<void> {
  let batch: Decision[] = [];
  for (const decision of madeUp(projectId, openShare)) {
    if (batch.push(decision) < MOST_INSERTED) continue;
    await decisions.insertMany(batch);
    batch = [];
  }
  await decisions.insertMany(batch);
}

const MIDDLE = START + 15 * DAY;
export const SEARCHES: readonly (readonly [string, DecisionFilter])[] = [
  ['the latest', {}],
  ['a day', { from: MIDDLE, to: MIDDLE + DAY }],
  ['what failed on a day', { passed: false, from: MIDDLE, to: MIDDLE + DAY }],
  ['a common category', { category: 'insult' }],
  ['a rare category', { category: 'self_harm' }],
  ['a category that is hardly there', { category: 'spam' }],
  ['a category on a day', { category: 'threat', from: MIDDLE, to: MIDDLE + DAY }],
  ['a common language', { language: 'en' }],
  ['a rare language', { language: 'ja' }],
  ['a reference', { reference: 'comment-12345' }],
  ['a reference that is not there', { reference: 'nobody' }],
  ['a request', { requestId: 'nobody' }],
  ['a score', { minScore: 9, maxScore: 9 }],
  ['high scores', { minScore: 7 }],
  ['low scores', { minScore: 1, maxScore: 2 }],
  ['failed in a rare language', { passed: false, language: 'ja' }],
  ['a rare category in a language', { category: 'threat', language: 'fr', minScore: 8 }],
  ['another door', { door: '/v1/moderations' }],
  ['reviewed', { review: 'right' }],
];
