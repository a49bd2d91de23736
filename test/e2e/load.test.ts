import { loadavg } from 'node:os';
import { describe, expect, it } from 'vitest';
import { analyze, eventually, metric, outcomeOf, post, startService } from '../support/service.js';
import { harmlessText, KIND } from '../support/texts.js';

describe('the service under load', () => {
  it('keeps the HTTP thread free while every worker computes', async () => {
    const service = await startService({ INFERENCE_THREADS: '2', METRICS: 'public' });
    const texts = Array.from({ length: 24 }, (_, index) =>
      post(service, harmlessText(10_000, `number ${index}`)).then(outcomeOf),
    );
    let answered = 0;
    for (const text of texts) void text.finally(() => (answered += 1));
    await eventually(
      () => metric(service.address, 'parapet_queue_waiting'),
      (waiting) => waiting >= 20,
    );
    // Reading the metrics starts a new interval of the event loop's histogram: this one is of nothing but load.
    const lagsMs: number[] = [];
    const latenciesMs: number[] = [];
    while (answered < texts.length) {
      for (let count = 0; count < 50; count += 1) {
        const begun = performance.now();
        expect((await fetch(`${service.address}/v1/health`)).status).toBe(200);
        latenciesMs.push(performance.now() - begun);
      }
      lagsMs.push((await metric(service.address, 'nodejs_eventloop_lag_p99_seconds')) * 1000);
    }
    expect(await Promise.all(texts)).toEqual(Array<string>(24).fill('200'));
    const [load = 0] = loadavg();
    const p99LagMs = Math.max(...lagsMs);
    const p99HealthMs = latenciesMs.sort((a, b) => a - b)[Math.floor(latenciesMs.length * 0.99)] ?? NaN;
    console.info(
      `event loop p99 ${p99LagMs.toFixed(1)} ms, health p99 ${p99HealthMs.toFixed(1)} ms of ${latenciesMs.length}, load ${load.toFixed(1)}`,
    );
    // The test and the service share the cores with whatever else runs: the promise is for a machine that is not overloaded.
    expect(p99LagMs).toBeLessThan(load > 3 ? 60 : 20);
    expect(latenciesMs.length).toBeGreaterThan(100);
  });

  it('refuses at once what does not fit into the queue, and answers the rest', async () => {
    const service = await startService({ INFERENCE_THREADS: '2', MAX_QUEUE: '1' });
    const begun = performance.now();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const response = await post(service, harmlessText(10_000, `number ${index}`));
        const afterMs = performance.now() - begun;
        if (response.status === 503) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
        return { outcome: await outcomeOf(response), afterMs };
      }),
    );
    const answered = outcomes.filter(({ outcome }) => outcome === '200');
    const refused = outcomes.filter(({ outcome }) => outcome === '503 queue_full');
    expect(answered.length + refused.length).toBe(20);
    expect(answered.length).toBeGreaterThanOrEqual(3);
    expect(refused.length).toBeGreaterThanOrEqual(1);
    const slowest = (group: typeof outcomes): number => Math.max(...group.map(({ afterMs }) => afterMs));
    console.info(
      `${answered.length} answered within ${slowest(answered).toFixed(0)} ms, ${refused.length} refused within ${slowest(refused).toFixed(0)} ms`,
    );
    expect(Math.min(...refused.map(({ afterMs }) => afterMs))).toBeLessThan(slowest(answered));
    expect(await analyze(service, KIND)).toMatchObject({ passed: true });
  });
});
