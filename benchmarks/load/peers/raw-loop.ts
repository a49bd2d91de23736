/**
 * The limit: one onnxruntime session per core, each in a process of its own, that judges texts tokenised beforehand one after another.
 * No HTTP, no queue, no tokenizer, no verdict: no service with this model on this machine can do more.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { z } from 'zod';
import { mean, median } from '../figures/percentiles.js';
import type { EncodedText } from 'parapet/engine';

export interface SessionRequest {
  readonly texts: readonly EncodedText[];
  readonly warmUpMs: number;
  readonly measureMs: number;
}

const sessionResult = z.object({
  /** The text that the first time is of; the others follow in order, and the first comes after the last. */
  first: z.number(),
  timesMs: z.array(z.number()),
  elapsedMs: z.number(),
  cpuSeconds: z.number().nullable(),
  /** Of the network, and the tokens that they read. */
  runs: z.number(),
  tokens: z.number(),
});
export type SessionResult = z.output<typeof sessionResult>;

export interface RawLoopResult {
  /** Of all sessions together. */
  readonly textsPerSecond: number;
  /** CPU seconds of all sessions per second. */
  readonly cpuCores: number | null;
  readonly runsPerText: number;
  readonly tokensPerText: number;
  /** Of everything that was judged, ascending. */
  readonly timesMs: Float64Array;
  /** Of each text in order, the median of its times; the mean of all where there was no time for it. */
  readonly textMs: Float64Array;
}

export interface RawLoop {
  /** Texts are dealt out among the sessions, and begun anew when all were judged. */
  measure(request: SessionRequest): Promise<RawLoopResult>;
  stop(): void;
}

export async function startRawLoop(modelFolder: string, sessionCount: number): Promise<RawLoop> {
  const sessions = await Promise.all(
    Array.from({ length: sessionCount }, async () => {
      // 'advanced' carries typed arrays. Detached as the servers are: Linux can share the processor out among sessions (sched(7), autogroup).
      const options = { serialization: 'advanced', detached: true } as const;
      const session = fork(new URL('./raw-loop-session.js', import.meta.url), [modelFolder], options);
      await nextMessage(session);
      return session;
    }),
  );
  return {
    async measure({ texts, ...times }) {
      const results = await Promise.all(
        sessions.map(async (session, index) => {
          session.send({ ...times, texts: texts.filter((_, text) => text % sessionCount === index) });
          return sessionResult.parse(await nextMessage(session));
        }),
      );
      return together(results, texts.length);
    },
    stop() {
      for (const session of sessions) session.kill();
    },
  };
}

/** @param results of sessions that were dealt `textCount` texts in turn */
export function together(results: readonly SessionResult[], textCount: number): RawLoopResult {
  const sum = (valueOf: (result: SessionResult) => number): number =>
    results.reduce((total, result) => total + valueOf(result), 0);
  const judged = sum(({ timesMs }) => timesMs.length);
  const timesMs = Float64Array.from(results.flatMap((result) => result.timesMs)).sort();
  return {
    textsPerSecond: sum((result) => (1000 * result.timesMs.length) / result.elapsedMs),
    cpuCores: results.some(({ cpuSeconds }) => cpuSeconds === null)
      ? null
      : sum(({ cpuSeconds, elapsedMs }) => (1000 * (cpuSeconds ?? 0)) / elapsedMs),
    runsPerText: sum(({ runs }) => runs) / judged,
    tokensPerText: sum(({ tokens }) => tokens) / judged,
    timesMs,
    textMs: textTimesOf(results, textCount, mean(timesMs) ?? 0),
  };
}

function textTimesOf(results: readonly SessionResult[], textCount: number, unknownMs: number): Float64Array {
  const timesOfText = Array.from({ length: textCount }, (): number[] => []);
  results.forEach(({ first, timesMs }, session) => {
    const dealt = Math.ceil((textCount - session) / results.length);
    timesMs.forEach((ms, index) => timesOfText[((first + index) % dealt) * results.length + session]?.push(ms));
  });
  return Float64Array.from(timesOfText, (times) => median(times) ?? unknownMs);
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (): void => reject(new Error('a process of the raw loop has ended'));
    child.once('exit', onExit);
    child.once('message', (message: unknown) => {
      child.off('exit', onExit);
      resolve(message);
    });
  });
}
