/**
 * The limit: one onnxruntime session per core, each in a process of its own, that judges texts tokenised beforehand one after another.
 * No HTTP, no queue, no tokenizer, no verdict: no service with this model on this machine can do more.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { z } from 'zod';
import type { Runs } from '../texts/model-inputs.js';

export interface SessionRequest {
  readonly texts: readonly Runs[];
  readonly warmUpMs: number;
  readonly measureMs: number;
}

const sessionResult = z.object({ timesMs: z.array(z.number()), elapsedMs: z.number() });
export type SessionResult = z.output<typeof sessionResult>;

export interface RawLoopResult {
  /** Of all sessions together. */
  readonly textsPerSecond: number;
  /** Of every text, in its session, ascending. */
  readonly timesMs: Float64Array;
}

export interface RawLoop {
  /** Texts are dealt out among the sessions, and begun anew when all were judged. */
  measure(request: SessionRequest): Promise<RawLoopResult>;
  stop(): void;
}

export async function startRawLoop(modelPath: string, sessionCount: number): Promise<RawLoop> {
  const sessions = await Promise.all(
    Array.from({ length: sessionCount }, async () => {
      // 'advanced' carries typed arrays. Detached as the servers are: Linux can share the processor out among sessions (sched(7), autogroup).
      const options = { serialization: 'advanced', detached: true } as const;
      const session = fork(new URL('./raw-loop-session.js', import.meta.url), [modelPath], options);
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
      return {
        textsPerSecond: results.reduce((sum, result) => sum + (1000 * result.timesMs.length) / result.elapsedMs, 0),
        timesMs: Float64Array.from(results.flatMap((result) => result.timesMs)).sort(),
      };
    },
    stop() {
      for (const session of sessions) session.kill();
    },
  };
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
