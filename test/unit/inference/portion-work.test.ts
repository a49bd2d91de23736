/** Promises of a worker that judges texts side by side: which runs share a batch, and that no text pays for another. */
import { describe, expect, it } from 'vitest';
import { judgePortion, type Judge, type ReadWork } from '../../../src/inference/workers/portion-work.js';
import type { RunReading } from '../../../src/inference/workers/messages.js';

/** A run is a word, and takes as many tokens as it has letters. */
const readingOf = (run: string, said: Partial<RunReading> = {}): RunReading => ({
  start: 0,
  end: run.length,
  tokens: run.length,
  unreadTokens: 0,
  labels: [0.5],
  sentiments: [1],
  ...said,
});

function createJudge(options: Partial<Judge<string>> & { said?: (run: string) => Partial<RunReading> } = {}) {
  const { said = () => ({}), ...others } = options;
  const batches: string[][] = [];
  const judge: Judge<string> = {
    judge(batch) {
      batches.push([...batch]);
      return Promise.resolve(batch.map((run) => readingOf(run, said(run))));
    },
    tokensOf: (run) => run.length,
    maxTokens: 16,
    maxTexts: 4,
    isAbandoned: () => false,
    ...others,
  };
  return { judge, batches };
}

const workOf = (runs: string[], whole?: string, spans = false): ReadWork<string> => ({
  runs,
  whole,
  spans,
  result: { foreignLetters: 0, tokenizeMs: 1 },
});

const wordsOf = (...words: string[]) => words.map((word) => workOf([word]));

describe('texts of a portion', () => {
  it('share a batch as far as the model reads them side by side', async () => {
    const { judge, batches } = createJudge({ maxTexts: 2 });
    const outcomes = await judgePortion(wordsOf('one', 'two', 'three'), judge);
    expect(batches).toEqual([['one', 'two'], ['three']]);
    expect(outcomes).toMatchObject([{ judged: [{ end: 3 }] }, { judged: [{ end: 3 }] }, { judged: [{ end: 5 }] }]);
  });

  it('are first judged as wholes, then by the segments of those that need it', async () => {
    const exited = new Set(['a-b']);
    const { judge, batches } = createJudge({ said: (run) => ({ exited: exited.has(run) }) });
    const outcomes = await judgePortion([workOf(['a', 'b'], 'a-b'), workOf(['c', 'd'], 'c-d'), workOf(['e'])], judge);
    expect(batches).toEqual([
      ['a-b', 'c-d', 'e'],
      ['c', 'd'],
    ]);
    expect(outcomes).toMatchObject([
      { whole: { exited: true }, judged: [], unjudged: [] },
      { whole: { end: 3 }, judged: [{ end: 1 }, { end: 1 }] },
      { whole: undefined, judged: [{ end: 1 }] },
    ]);
  });

  it('of which one makes the model fail are judged alone, and the others get their answer', async () => {
    const { judge } = createJudge();
    const failing: Judge<string> = {
      ...judge,
      judge: (batch) => (batch.includes('bad') ? Promise.reject(new RangeError('bad')) : judge.judge(batch)),
    };
    const outcomes = await judgePortion(wordsOf('one', 'bad', 'two'), failing);
    expect(outcomes).toMatchObject([
      { judged: [{ end: 3 }] },
      { failure: expect.stringContaining('RangeError') as string },
      { judged: [{ end: 3 }] },
    ]);
  });

  it('that could not be read fail alone', async () => {
    const { judge, batches } = createJudge();
    const outcomes = await judgePortion([{ failure: 'unread' }, workOf(['one'])], judge);
    expect(outcomes).toMatchObject([{ failure: 'unread' }, { judged: [{ end: 3 }] }]);
    expect(batches).toEqual([['one']]);
  });

  it('are given up between two batches', async () => {
    let abandoned = false;
    const { judge, batches } = createJudge({ maxTexts: 1, isAbandoned: () => abandoned });
    const ending: Judge<string> = {
      ...judge,
      judge(batch) {
        abandoned = true;
        return judge.judge(batch);
      },
    };
    const outcomes = await judgePortion(wordsOf('one', 'two'), ending);
    expect(batches).toEqual([['one']]);
    expect(outcomes).toMatchObject([{ judged: [{ end: 3 }] }, { failure: 'abandoned' }]);
  });

  it('are told the time of their tokens', async () => {
    const { judge } = createJudge();
    const slow: Judge<string> = {
      ...judge,
      async judge(batch) {
        await new Promise((resolve) => setTimeout(resolve, 40));
        return judge.judge(batch);
      },
    };
    const [short, long] = await judgePortion(wordsOf('one', 'nine'.repeat(2)), slow);
    if (short === undefined || long === undefined || 'failure' in short || 'failure' in long) throw new Error('failed');
    expect(long.inferMs / short.inferMs).toBeCloseTo(8 / 3);
    expect(short.inferMs + long.inferMs).toBeGreaterThan(35);
  });
});

it('a text whose segments are more than one run gets them back, whatever shares its batch', async () => {
  const { judge, batches } = createJudge({ maxTokens: 6 });
  const [long] = await judgePortion([workOf(['four', 'five']), workOf(['one'])], judge);
  expect(long).toMatchObject({ judged: [], unjudged: ['four', 'five'] });
  expect(batches).toEqual([['one']]);
});

it('a text without tokens takes a time as well', async () => {
  const { judge } = createJudge();
  const [outcome] = await judgePortion(wordsOf(''), judge);
  if (outcome === undefined || 'failure' in outcome) throw new Error('failed');
  expect(outcome.inferMs).toBeGreaterThan(0);
  expect(outcome.inferMs).toBeLessThan(1000);
});

it('a model that answers fewer texts than it was given is asked for each alone', async () => {
  const { judge } = createJudge();
  const few: Judge<string> = { ...judge, judge: (batch) => judge.judge(batch.slice(0, 1)) };
  const outcomes = await judgePortion(wordsOf('one', 'two'), few);
  expect(outcomes).toMatchObject([{ judged: [{ end: 3 }] }, { judged: [{ end: 3 }] }]);
});
