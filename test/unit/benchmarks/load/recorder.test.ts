/** Promises of what is counted: requests by when they were due, throughput by when answers came, nothing lost. */
import { describe, expect, it } from 'vitest';
import { createRecorder } from '../../../../benchmarks/load/generator/recorder.js';

const interval = { beginMs: 1000, endMs: 3000 };

describe('the recorder', () => {
  it('counts throughput by answers within the interval and latency by requests due within it', () => {
    const recorder = createRecorder(interval);
    for (const dueMs of [500, 1000, 2900, 3000]) recorder.due(dueMs);
    recorder.answered(500, 200, 1100);
    recorder.answered(1000, 200, 1100);
    recorder.answered(2900, 200, 3100);
    recorder.answered(3000, 200, 3200);
    const result = recorder.result();
    expect(result.succeededPerSecond).toBe(1);
    expect(Array.from(result.latenciesMs)).toEqual([100, 200]);
    expect(result.answers).toEqual({ 200: 2 });
  });

  it('counts errors by what they were and keeps them out of latency and throughput', () => {
    const recorder = createRecorder(interval);
    for (const dueMs of [1500, 1600, 1700]) recorder.due(dueMs);
    recorder.answered(1500, 503, 1501);
    recorder.answered(1600, 'connection lost', 1601);
    recorder.answered(1700, 200, 1705);
    const result = recorder.result();
    expect(result.answers).toEqual({ 200: 1, 503: 1, 'connection lost': 1 });
    expect(Array.from(result.latenciesMs)).toEqual([5]);
    expect(result.succeededPerSecond).toBe(0.5);
  });

  it('counts a request that was due and never answered, sent or not', () => {
    const recorder = createRecorder(interval);
    recorder.due(1500);
    expect(recorder.result().answers).toEqual({ 'no answer': 1 });
  });
});
