/** Promises of a worker that judges texts side by side: which sequences share a batch, and that no text pays for another. */
import { describe, expect, it } from 'vitest';
import { judgeTasks, type Judge, type ReadTask } from '../../../src/inference/workers/judge-tasks.js';
import type { SequencePrediction } from '../../../src/inference/workers/messages.js';

/** A sequence is a word, and takes as many tokens as it has letters. */
const predictionOf = (sequence: string, said: Partial<SequencePrediction> = {}): SequencePrediction => ({
  segment: 0,
  start: 0,
  end: sequence.length,
  tokens: sequence.length,
  unreadTokens: 0,
  labels: [0.5],
  sentiments: [1],
  ...said,
});

function createJudge(
  options: Partial<Judge<string>> & { said?: (sequence: string) => Partial<SequencePrediction> } = {},
) {
  const { said = () => ({}), ...others } = options;
  const batches: string[][] = [];
  const judge: Judge<string> = {
    judge(batch) {
      batches.push([...batch]);
      return Promise.resolve(batch.map((sequence) => predictionOf(sequence, said(sequence))));
    },
    tokensOf: (sequence) => sequence.length,
    maxTokens: 16,
    maxTexts: 4,
    isAbandoned: () => false,
    ...others,
  };
  return { judge, batches };
}

const taskOf = (sequences: string[], whole?: string, spans = false): ReadTask<string> => ({
  sequences,
  whole,
  spans,
  result: { foreignLetters: 0, tokenizeMs: 1 },
});

const wordsOf = (...words: string[]) => words.map((word) => taskOf([word]));

describe('texts that a worker was given at once', () => {
  it('share a batch as far as the model reads them side by side', async () => {
    const { judge, batches } = createJudge({ maxTexts: 2 });
    const outcomes = await judgeTasks(wordsOf('one', 'two', 'three'), judge);
    expect(batches).toEqual([['one', 'two'], ['three']]);
    expect(outcomes).toMatchObject([{ judged: [{ end: 3 }] }, { judged: [{ end: 3 }] }, { judged: [{ end: 5 }] }]);
  });

  it('are first judged as wholes, then by the segments of those that need it', async () => {
    const exited = new Set(['a-b']);
    const { judge, batches } = createJudge({ said: (sequence) => ({ exited: exited.has(sequence) }) });
    const outcomes = await judgeTasks([taskOf(['a', 'b'], 'a-b'), taskOf(['c', 'd'], 'c-d'), taskOf(['e'])], judge);
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
    const outcomes = await judgeTasks(wordsOf('one', 'bad', 'two'), failing);
    expect(outcomes).toMatchObject([
      { judged: [{ end: 3 }] },
      { failure: expect.stringContaining('RangeError') as string },
      { judged: [{ end: 3 }] },
    ]);
  });

  it('that could not be read fail alone', async () => {
    const { judge, batches } = createJudge();
    const outcomes = await judgeTasks([{ failure: 'unread' }, taskOf(['one'])], judge);
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
    const outcomes = await judgeTasks(wordsOf('one', 'two'), ending);
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
    const [short, long] = await judgeTasks(wordsOf('one', 'nine'.repeat(2)), slow);
    if (short === undefined || long === undefined || 'failure' in short || 'failure' in long) throw new Error('failed');
    expect(long.inferMs / short.inferMs).toBeCloseTo(8 / 3);
    expect(short.inferMs + long.inferMs).toBeGreaterThan(35);
  });
});

it('a text whose segments are more than one sequence gets them back, whatever shares its batch', async () => {
  const { judge, batches } = createJudge({ maxTokens: 6 });
  const [long] = await judgeTasks([taskOf(['four', 'five']), taskOf(['one'])], judge);
  expect(long).toMatchObject({ judged: [], unjudged: ['four', 'five'] });
  expect(batches).toEqual([['one']]);
});

it('a text without tokens takes a time as well', async () => {
  const { judge } = createJudge();
  const [outcome] = await judgeTasks(wordsOf(''), judge);
  if (outcome === undefined || 'failure' in outcome) throw new Error('failed');
  expect(outcome.inferMs).toBeGreaterThan(0);
  expect(outcome.inferMs).toBeLessThan(1000);
});

it('a model that answers fewer texts than it was given is asked for each alone', async () => {
  const { judge } = createJudge();
  const few: Judge<string> = { ...judge, judge: (batch) => judge.judge(batch.slice(0, 1)) };
  const outcomes = await judgeTasks(wordsOf('one', 'two'), few);
  expect(outcomes).toMatchObject([{ judged: [{ end: 3 }] }, { judged: [{ end: 3 }] }]);
});
