/** Carries out a plan: opens connections, warms up, measures, waits for the last answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TextSequence } from '../texts/text-sequence.js';
import { createSchedule } from './arrivals.js';
import { startClosedLoop, type Loop, type LoopDeps } from './closed-loop.js';
import { openHttpConnection } from './http-connection.js';
import type { LoadPlan, LoadResult, Pace } from './load-plan.js';
import { startOpenLoop } from './open-loop.js';
import { createRecorder } from './recorder.js';
import { createRequestFeed, createTextCounter } from './request-feed.js';

/** What is not answered this long after the interval counts as `no answer`. */
const LAST_ANSWERS_MS = 20_000;
const LAST_ANSWERS_EVERY_MS = 20;

export interface LoadRunDeps {
  readonly texts: TextSequence;
  /** Told at the ends of the measured interval. */
  readonly onInterval: (end: 'interval begins' | 'interval ends') => void;
}

export async function runLoad(plan: LoadPlan, { texts, onInterval }: LoadRunDeps): Promise<LoadResult> {
  const counter = createTextCounter(plan.firstText);
  const { host, ports } = plan.endpoint;
  const opened = plan.streams.map(({ pace }) =>
    Array.from({ length: pace.connections }, (_, index) =>
      openHttpConnection({ host, port: ports[index % ports.length] ?? 0 }),
    ),
  );
  await Promise.all(opened.flat().map((connection) => connection.opened));
  const startMs = performance.now();
  const beginMs = startMs + plan.warmUpMs;
  const endMs = beginMs + plan.measureMs;
  const streams = plan.streams.map(({ content, pace, headers }, index) => {
    const recorder = createRecorder({ beginMs, endMs });
    const endpoint = { ...plan.endpoint, headers: { ...plan.endpoint.headers, ...headers } };
    const nextRequest = createRequestFeed(content, { endpoint, texts, counter });
    const loop = startLoop(pace, startMs, { connections: opened[index] ?? [], nextRequest, recorder });
    return { recorder, loop };
  });
  try {
    await sleep(beginMs - performance.now());
    onInterval('interval begins');
    const cpu = process.cpuUsage();
    await sleep(endMs - performance.now());
    const { user, system } = process.cpuUsage(cpu);
    onInterval('interval ends');
    for (const { loop } of streams) loop.stop();
    // Also for those of the warm-up: whatever the server still works on would slow the next load down.
    const giveUpMs = endMs + LAST_ANSWERS_MS;
    while (streams.some(({ recorder }) => recorder.pending() > 0) && performance.now() < giveUpMs) {
      await sleep(LAST_ANSWERS_EVERY_MS);
    }
    return {
      streams: streams.map(({ recorder }) => recorder.result()),
      nextText: counter.next,
      generatorCores: (user + system) / 1000 / plan.measureMs,
    };
  } finally {
    for (const connection of opened.flat()) connection.close();
  }
}

function startLoop(pace: Pace, beginMs: number, deps: LoopDeps): Loop {
  if (pace.kind === 'closed') return startClosedLoop(deps);
  return startOpenLoop({ ...deps, schedule: createSchedule(pace.arrivals, pace.perSecond, pace.seed), beginMs });
}
