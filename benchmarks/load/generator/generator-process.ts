/** The benchmark's end of the generator: starts its process and has plans carried out. */
import { fork, type ChildProcess } from 'node:child_process';
import type { GeneratorReply, GeneratorRequest, LoadPlan, LoadResult } from './load-plan.js';

export interface Generator {
  /** One plan at a time. `onInterval` is told at both ends of the measured interval. */
  run(plan: LoadPlan, onInterval: (end: 'interval begins' | 'interval ends') => void): Promise<LoadResult>;
  stop(): void;
}

export function startGenerator(pool: readonly string[]): Generator {
  // 'advanced' carries typed arrays.
  const child = fork(new URL('./generator.js', import.meta.url), { serialization: 'advanced' });
  tell(child, { kind: 'texts', pool });
  return {
    run(plan, onInterval) {
      return new Promise((resolve, reject) => {
        const onExit = (): void => {
          child.off('message', onReply);
          reject(new Error('the load generator ended in the middle of a load'));
        };
        const onReply = (reply: GeneratorReply): void => {
          if (reply.kind !== 'result') {
            onInterval(reply.kind);
            return;
          }
          child.off('message', onReply);
          child.off('exit', onExit);
          resolve(reply.result);
        };
        child.on('message', onReply);
        child.once('exit', onExit);
        tell(child, { kind: 'load', plan });
      });
    },
    stop: () => child.kill(),
  };
}

function tell(child: ChildProcess, request: GeneratorRequest): void {
  child.send(request);
}
