/** The promise that decisions are found at once, however many are kept: each search within 200 ms, on both engines. */
import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDecisionIds, type Decision } from '../../src/decisions/decision-record.js';
import type { DecisionFilter } from '../../src/decisions/decision-question.js';
import {
  createDecisionRepository,
  MOST_INSERTED,
  type DecisionRepository,
} from '../../src/decisions/decision-repository.js';
import type { Category } from '../../src/moderation/categories.js';
import { openFileStore } from '../../src/storage/file-store.js';
import { openPostgresStore } from '../../src/storage/postgres/postgres-store.js';
import type { SqlDatabase } from '../../src/storage/sql/sql-database.js';
import { hasPostgres, startPostgres } from '../support/servers/postgres.js';
import { freshKeyFile } from '../unit/storage/store-folder.js';
import { sized, TIME_LIMIT_MS } from './scale.js';

/** DECISIONS says another number, for a run by hand. */
const COUNT = Number(process.env.DECISIONS ?? sized({ short: 30_000, long: 1_000_000 }));
const MOST_MS = 200;
const PAGE = 50;
const PROJECT = 'prj_0123456789abcdef';
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

function* madeUp(): Generator<Decision> {
  const chance = chanceFrom(1);
  const idAt = createDecisionIds();
  for (let index = 0; index < COUNT; index += 1) {
    const at = START + Math.floor((index / COUNT) * 30 * DAY);
    const categories = CATEGORY_SHARES.filter(([, share]) => chance() < share).map(([category]) => category);
    const passed = categories.length === 0;
    const pick = chance();
    yield {
      id: idAt(at),
      projectId: chance() < 0.9 ? PROJECT : 'prj_fedcba9876543210',
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
      review: undefined,
      doubt: undefined,
    };
  }
}

async function fill(decisions: DecisionRepository): Promise<void> {
  let batch: Decision[] = [];
  for (const decision of madeUp()) {
    if (batch.push(decision) < MOST_INSERTED) continue;
    await decisions.insertMany(batch);
    batch = [];
  }
  await decisions.insertMany(batch);
}

const MIDDLE = START + 15 * DAY;
const SEARCHES: readonly (readonly [string, DecisionFilter])[] = [
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

async function findsAllAtOnce(sql: SqlDatabase, engine: string): Promise<void> {
  const decisions = createDecisionRepository(sql);
  const began = performance.now();
  await fill(decisions);
  const seconds = (performance.now() - began) / 1000;
  const figures = [`${engine}: ${COUNT} decisions, ${Math.round(COUNT / seconds)} written a second`];
  const slow: string[] = [];
  for (const [name, filter] of SEARCHES) {
    const times: number[] = [];
    let found = 0;
    for (let each = 0; each < 3; each += 1) {
      const asked = performance.now();
      found = (await decisions.search(PROJECT, filter, { limit: PAGE })).decisions.length;
      times.push(performance.now() - asked);
    }
    figures.push(`  ${name}: ${times.map((time) => time.toFixed(1)).join(', ')} ms, ${found} found`);
    if (Math.min(...times) > MOST_MS) slow.push(name);
  }
  console.log(figures.join('\n'));
  expect(slow).toEqual([]);
}

describe(`of ${COUNT} decisions a page of any search comes within ${MOST_MS} ms`, () => {
  it(
    'from SQLite',
    async () => {
      const store = openFileStore(freshKeyFile());
      onTestFinished(() => store.close());
      await findsAllAtOnce(store.sql, 'SQLite');
    },
    TIME_LIMIT_MS,
  );

  it.skipIf(!hasPostgres)(
    'from PostgreSQL',
    async () => {
      const server = await startPostgres();
      onTestFinished(() => server.close());
      const store = await openPostgresStore(await server.freshDatabase(), { graceMs: 0 });
      onTestFinished(() => store.close());
      await findsAllAtOnce(store.sql, 'PostgreSQL');
    },
    TIME_LIMIT_MS,
  );
});
