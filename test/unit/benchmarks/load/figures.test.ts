/** Promises of the figures: medians of the rounds, ratios within a round, and no verdict on what was not measured. */
import { describe, expect, it } from 'vitest';
import { takenShare, withoutGenerator } from '../../../../benchmarks/load/figures/generator-account.js';
import { goalsOf, medianRatio, type Evidence } from '../../../../benchmarks/load/figures/goals.js';
import { summarise } from '../../../../benchmarks/load/figures/load-figures.js';
import { notesOf } from '../../../../benchmarks/load/figures/notes.js';
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
    modelId: 'parapet-multi',
    loads: [],
    cores: 2,
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
    [88, true],
    [87, false],
  ])('hold the service against the raw loop: %d of 100', (perSecond, reached) => {
    const loads = summarise([measurement({ perSecond }), measurement({ subject: SUBJECTS.rawLoop, perSecond: 100 })]);
    expect(goalNamed(`unique texts a second, against ${SUBJECTS.rawLoop}`, { loads })).toMatchObject({
      measured: perSecond / 100,
      withGenerator: perSecond / 100,
      reached,
    });
  });

  it('take the processor time of the generator out of every rate over HTTP, and show the ratio with it', () => {
    const loads = summarise([
      measurement({ perSecond: 100, generatorCores: 0.4 }),
      measurement({ subject: SUBJECTS.onnx, perSecond: 100, generatorCores: 0.2 }),
      measurement({ subject: SUBJECTS.rawLoop, perSecond: 100 }),
    ]);
    const against = (subject: string) => goalNamed(`unique texts a second, against ${subject}`, { loads });
    expect(against(SUBJECTS.rawLoop)?.measured).toBeCloseTo(1.25);
    expect(against(SUBJECTS.onnx)?.measured).toBeCloseTo(1.8 / 1.6);
    expect(against(SUBJECTS.onnx)?.withGenerator).toBe(1);
  });

  it('compare the processor time of a text, not of a second', () => {
    const loads = summarise([
      measurement({ perSecond: 50, cpuCores: 0.56 }),
      measurement({ subject: SUBJECTS.rawLoop, perSecond: 100, cpuCores: 1 }),
    ]);
    const goal = goalNamed('processor time of a unique text', { loads });
    expect(goal?.measured).toBeCloseTo(1.12);
  });

  it('hold the HTTP thread against the answers that it gave, where no other load ran beside', () => {
    const threads = { http: 0.04, workers: 0, helpers: 0 };
    const ofCached = (isAlone: boolean) =>
      summarise([measurement({ load: LOADS.cached, perSecond: 1000, threads, isAlone })]);
    expect(goalNamed('HTTP thread: processor time of a cached', { loads: ofCached(true) })).toMatchObject({
      measured: 0.04,
      reached: true,
    });
    expect(goalNamed('HTTP thread: processor time of a cached', { loads: ofCached(false) })?.measured).toBeNull();
  });

  it('let short texts beside long ones wait twice as long as alone and for one full run', () => {
    const waits = (ms: number) => Float64Array.from({ length: 100 }, () => ms);
    const loads = summarise([
      measurement({ load: LOADS.shortAlone, latenciesMs: waits(10) }),
      measurement({ load: LOADS.shortBesideLong, latenciesMs: waits(27) }),
      measurement({ subject: SUBJECTS.rawLoop, load: LOADS.window, latenciesMs: waits(10) }),
    ]);
    expect(goalNamed('p99 of short texts', { loads })).toMatchObject({ measured: 0.9, reached: true });
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
    const loads = summarise([measurement({ memoryMegabytes: 300 }), measurement({ memoryMegabytes: 351 })]);
    expect(goalNamed('most memory', { loads })).toMatchObject({ measured: 351, reached: false });
    expect(goalNamed('most memory', { loads, modelId: 'parapet-en' })?.limit).toBe(300);
    const memory = { requests: 10, beginMegabytes: 200, endMegabytes: 204, samples: [370] };
    expect(goalNamed('most memory', { loads, memory })?.measured).toBe(370);
    const growth = goalNamed('growth', { memory });
    expect(growth?.measured).toBeCloseTo(2);
    expect(growth?.reached).toBe(true);
  });

  it('ask for a start in time', () => {
    expect(goalNamed('healthy', { startsMs: [900, 1600, 999] })).toMatchObject({ measured: 999, reached: true });
    expect(goalNamed('healthy', { startsMs: [1000] })?.reached).toBe(false);
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

describe('the account of the generator', () => {
  it('gives back what it took of the cores that the workers have', () => {
    expect(withoutGenerator(300, 0.2, { cores: 2, workers: 2 })).toBeCloseTo((300 * 2) / 1.8);
    expect(takenShare(0.2, { cores: 2, workers: 2 })).toBeCloseTo(0.1);
  });

  it('counts nothing that it took of other cores', () => {
    expect(withoutGenerator(300, 0.9, { cores: 4, workers: 2 })).toBe(300);
    expect(takenShare(1.5, { cores: 3, workers: 2 })).toBeCloseTo(0.25);
  });

  it('leaves alone what nobody asks, and knows no rate where nothing was left', () => {
    expect(withoutGenerator(300, null, { cores: 2, workers: 2 })).toBe(300);
    expect(withoutGenerator(300, 1, { cores: 1, workers: 1 })).toBeNull();
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
