/** Promises of what is read from servers: their stages, their use of the machine, their packages. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { NODE_FLAGS } from '../../../../benchmarks/load/targets/node-servers.js';
import { parseUsage } from '../../../../benchmarks/load/targets/process-usage.js';
import { comparePackages, parseRequirements } from '../../../../benchmarks/load/targets/python-packages.js';
import { sumByKind } from '../../../../benchmarks/load/targets/thread-usage.js';
import { deploymentsFor } from '../../../../benchmarks/load/targets/python-peers.js';
import { parseStageCounters, stageTimesBetween } from '../../../../benchmarks/load/targets/stage-counters.js';
import { createFakeAnalyzer, INSULT } from '../../../support/fake-analyzer.js';
import { createHttpService } from '../../../support/http-service.js';

describe('the service', () => {
  const words = ['node', ...NODE_FLAGS, 'dist/src/server.js'];

  it('is started as by npm start', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync('package.json', 'utf8')));
    expect(scripts.start).toBe(words.join(' '));
  });

  it('is started as in the Docker image', () => {
    const command = /^CMD (\[.*\])$/mu.exec(readFileSync('Dockerfile', 'utf8'))?.[1] ?? '[]';
    expect(JSON.parse(command)).toEqual(words);
  });
});

describe('the stages', () => {
  it('are found on the page of metrics that the service really has', async () => {
    const { analyze, app } = await createHttpService({
      analyzer: createFakeAnalyzer(() => INSULT),
      metricsPublic: true,
    });
    const before = parseStageCounters((await app.inject('/metrics')).body);
    expect(before).toMatchObject({ requests: 0, totalSeconds: 0, inferSeconds: 0 });
    await analyze({ content: 'You are an idiot.' });
    const after = parseStageCounters((await app.inject('/metrics')).body);
    expect(after.requests).toBe(1);
    expect(after.totalSeconds).toBeGreaterThan(0);
    expect(after.queueSeconds + after.tokenizeSeconds + after.inferSeconds).toBeGreaterThan(0);
  });

  const counters = { requests: 10, totalSeconds: 1, queueSeconds: 0.2, tokenizeSeconds: 0.1, inferSeconds: 0.5 };
  const nothing = { requests: 0, totalSeconds: 0, queueSeconds: 0, tokenizeSeconds: 0, inferSeconds: 0 };

  it('are means of the requests in between, and what is left is the rest', () => {
    const times = stageTimesBetween(nothing, counters);
    expect(times).toMatchObject({ totalMs: 100, queueMs: 20, tokenizeMs: 10, inferMs: 50 });
    expect(times?.restMs).toBeCloseTo(20);
  });

  it('have no rest where workers computed side by side, and no means without requests', () => {
    expect(stageTimesBetween(nothing, { ...counters, inferSeconds: 1.5 })?.restMs).toBeNull();
    expect(stageTimesBetween(counters, counters)).toBeNull();
  });
});

describe('the use of the machine', () => {
  it('is read whatever the name of the process', () => {
    const stat = '4242 (a) b (node) S 1 4242 4242 0 -1 4194560 9 0 0 0 150 50 7 7 20 0 11 0 99 1 2';
    const rollup =
      '00400000-7fff00000000 ---p 00000000 00:00 0 [rollup]\nRss:  400000 kB\nPss:  100000 kB\nPss_Anon:  1 kB\n';
    expect(parseUsage(stat, rollup)).toEqual({ cpuSeconds: 2, memoryMegabytes: 102.4 });
  });

  it('is told apart by thread: the first, those that give way, the others', () => {
    const thread = (id: number, ticks: number, nice: number): string =>
      `${id} (node) S 1 42 42 0 -1 4194560 9 0 0 0 ${ticks} 0 7 7 20 ${nice} 11 0 99 1 2`;
    const stats = [thread(42, 100, 5), thread(43, 10, 5), '', thread(44, 200, 15), thread(45, 300, 15)];
    expect(sumByKind(42, stats)).toEqual({ http: 1, workers: 5, helpers: 0.1 });
    const reniced = [thread(42, 100, 19), ...stats.slice(1)];
    expect(sumByKind(42, reniced)).toEqual({ http: 1, workers: 5, helpers: 0.1 });
  });
});

describe('the packages of the peers', () => {
  const requirements = parseRequirements(
    readFileSync(new URL('../../../../benchmarks/load/peers/requirements.txt', import.meta.url), 'utf8'),
  );

  it('are all pinned, onnxruntime to the version that the service runs', () => {
    expect(requirements.size).toBe(9);
    const runtime = new URL('../../../../node_modules/onnxruntime-node/package.json', import.meta.url);
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(runtime, 'utf8')));
    expect(requirements.get('onnxruntime')).toBe(version);
  });

  it('are missing, or of another version, or right', () => {
    const pinned = new Map([
      ['torch', '2.15.0'],
      ['fastapi', '1.0'],
      ['uvicorn', '1.0'],
    ]);
    expect(comparePackages(pinned, { torch: '2.15.0+cpu', fastapi: '1.1', uvicorn: null })).toEqual({
      missing: ['uvicorn'],
      different: ['fastapi 1.1 (pinned: 1.0)'],
    });
  });

  it('may use every core in one way at least, and none more than once', () => {
    const uses = deploymentsFor(4).map(({ processes, threads }) => processes * threads);
    expect(uses).toContain(4);
    expect(Math.max(...uses)).toBe(4);
  });
});
