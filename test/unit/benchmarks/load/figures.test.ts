/** Promises of the figures: medians of the rounds, ratios within a round, and no verdict on what was not measured. */
import { describe, expect, it } from 'vitest';
import { goalsOf, medianRatio, type Evidence } from '../../../../benchmarks/load/figures/goals.js';
import { summarise } from '../../../../benchmarks/load/figures/load-figures.js';
import { notesOf } from '../../../../benchmarks/load/figures/notes.js';
import { growthOf } from '../../../../benchmarks/load/figures/results.js';
import { LOADS, SUBJECTS } from '../../../../benchmarks/load/loads.js';
import { endsOf } from '../../../../benchmarks/load/memory-test.js';
import { measurement } from './measurement.js';

describe('the summary', () => {
  it('shows the median of the rounds, each figure on its own, and all errors', () => {
    const [figures, ...others] = summarise([
      measurement({ perSecond: 90, latenciesMs: Float64Array.of(5), answers: { 200: 1, 503: 2 } }),
      measurement({ perSecond: 110, latenciesMs: Float64Array.of(7) }),
      measurement({ perSecond: 100, latenciesMs: Float64Array.of(1), answers: { 503: 1, 'no answer': 4 } }),
    ]);
    expect(others).toEqual([]);
    expect(figures?.median).toMatchObject({ perSecond: 100, meanMs: 5, p99Ms: null });
    expect(figures?.errors).toEqual({ 503: 3, 'no answer': 4 });
    expect(figures?.rounds.map(({ perSecond }) => perSecond)).toEqual([90, 110, 100]);
  });

  it('keeps loads and subjects apart', () => {
    const summary = summarise([measurement({ load: 'a' }), measurement({ load: 'b' }), measurement({ subject: 'x' })]);
    expect(summary.map(({ subject, load }) => `${subject} ${load}`)).toEqual([
      'Parapet a',
      'Parapet b',
      `x ${LOADS.unique}`,
    ]);
  });
});

describe('the goals', () => {
  const evidence = (more: Partial<Evidence>): Evidence => ({
    loads: [],
    workers: 2,
    startsMs: [],
    memory: null,
    ...more,
  });
  const goalNamed = (start: string, more: Partial<Evidence>) =>
    goalsOf(evidence(more)).find(({ goal }) => goal.startsWith(start));

  it('are neither reached nor missed where nothing was measured', () => {
    expect(new Set(goalsOf(evidence({})).map(({ reached }) => reached))).toEqual(new Set([null]));
  });

  it('compare what was measured in one round, whatever the machine did in another', () => {
    expect(medianRatio([100, 50, 98], [100, 50, 100])).toBe(1);
    expect(medianRatio([100, 1], [null, 0])).toBeNull();
  });

  it.each([
    [92, true],
    [91, false],
  ])('hold the service against the raw loop: %d of 100', (perSecond, reached) => {
    const loads = summarise([measurement({ perSecond }), measurement({ subject: SUBJECTS.rawLoop, perSecond: 100 })]);
    expect(goalNamed(`unique texts a second, against the ${SUBJECTS.rawLoop}`, { loads })).toMatchObject({
      measured: perSecond / 100,
      reached,
    });
  });

  it('divide the bare time of a long text by the threads that share it', () => {
    const loads = summarise([
      measurement({ load: LOADS.longAlone, latenciesMs: Float64Array.of(110) }),
      measurement({ load: LOADS.longAlone, latenciesMs: Float64Array.of(110) }),
      measurement({ subject: SUBJECTS.rawLoop, load: LOADS.long, latenciesMs: Float64Array.of(200) }),
    ]).map((entry) => ({ ...entry, rounds: entry.rounds.map((round) => ({ ...round, p50Ms: round.meanMs })) }));
    expect(goalNamed('median time of 10,000', { loads })).toMatchObject({ measured: 1.1, reached: true });
  });

  it('take the most memory of any round and its growth between the ends of the memory test', () => {
    const loads = summarise([measurement({ rssMegabytes: 300 }), measurement({ rssMegabytes: 351 })]);
    expect(goalNamed('most resident', { loads })).toMatchObject({ measured: 351, reached: false });
    const memory = { requests: 10, beginMegabytes: 200, endMegabytes: 204, samples: [] };
    const growth = goalNamed('growth', { memory });
    expect(growth?.measured).toBeCloseTo(2);
    expect(growth?.reached).toBe(true);
  });

  it('ask for a start in time', () => {
    expect(goalNamed('healthy', { startsMs: [1400, 1600, 1499] })).toMatchObject({ measured: 1499, reached: true });
    expect(goalNamed('healthy', { startsMs: [1500] })?.reached).toBe(false);
  });
});

describe('the memory test', () => {
  it('compares the first fifth of the time with the last', () => {
    expect(endsOf([10, 30, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40, 60, 50])).toEqual({
      beginMegabytes: 20,
      endMegabytes: 50,
    });
    expect(endsOf([])).toEqual({ beginMegabytes: null, endMegabytes: null });
  });
});

describe('growth', () => {
  it('puts the shares from the cache in order, with those that have other loads of their own', () => {
    const loads = summarise([
      measurement({ load: LOADS.cached, perSecond: 9000 }),
      measurement({ load: '50 % repeated', perSecond: 700 }),
      measurement({ perSecond: 400 }),
    ]);
    const [, , shares] = growthOf({ loads, workers: 2 });
    expect(shares?.points).toEqual([
      { x: 0, perSecond: 400 },
      { x: 50, perSecond: 700 },
      { x: 100, perSecond: 9000 },
    ]);
  });
});

describe('the notes', () => {
  it('say what spoils a run, and nothing where nothing does', () => {
    const loads = summarise([measurement({ generatorCores: 0.99 })]);
    expect(notesOf({ loads, rounds: 1, loadAverageBefore: 2 })).toEqual([
      expect.stringContaining('Fewer than 5 rounds'),
      expect.stringContaining('load average was 2.00'),
      expect.stringContaining(`Parapet: ${LOADS.unique}`),
    ]);
    expect(notesOf({ loads: [], rounds: 5, loadAverageBefore: 0.1 })).toEqual([]);
  });
});
