/** Loaded into every thread of a server: tells which files had a function called since it was last asked, or since the thread began. */
import { Session, type Profiler } from 'node:inspector';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

/** What a thread answers to an empty message. */
export type Walked = readonly string[];

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** URLs. That a module was loaded is told as a call of what begins at 0. */
function filesWalked(): Walked {
  let scripts: readonly Profiler.ScriptCoverage[] = [];
  // A session of its own thread answers before it returns.
  session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
    scripts = result;
  });
  return scripts
    .filter(({ functions }) =>
      functions.some(({ ranges: [range] }) => range && range.count > 0 && range.startOffset > 0),
    )
    .map(({ url }) => url);
}

const threads = new BroadcastChannel('walk');
threads.unref();
if (isMainThread) {
  process.on('message', () => {
    threads.postMessage('ask');
    process.send?.(filesWalked());
  });
  threads.onmessage = ({ data }: { data: unknown }) => process.send?.(data);
} else threads.onmessage = () => threads.postMessage(filesWalked());
