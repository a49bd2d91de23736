/** Promises of the figures: medians of the rounds, ratios within a round, and no verdict on what was not measured. */
import { describe, expect, it } from 'vitest';
import { goalsOf, medianRatio, type Evidence } from '../../../../benchmarks/load/figures/goals.js';
import { summarise } from '../../../../benchmarks/load/figures/load-figures.js';
import { SUBJECTS } from '../../../../benchmarks/load/loads.js';
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
});
