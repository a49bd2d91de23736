/** The process behind `npx parapet accuracy`: wires the command to the environment, the streams, signals and the judges. */
import process from 'node:process';
import { runAccuracyCli } from './accuracy-command.js';
import { createHttpJudge } from './judges/http-judge.js';
import { createInProcessJudge } from './judges/in-process-judge.js';
import { openPeer } from './peers/peer.js';

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());

process.exitCode = await runAccuracyCli(process.argv.slice(2), {
  environmentKey: process.env.PARAPET_KEY,
  stdout: process.stdout,
  stderr: process.stderr,
  interruption: interruption.signal,
  openPeer: (name, python) => openPeer(name, { folder: process.cwd(), python }),
  openJudge: (service) =>
    service === undefined
      ? createInProcessJudge()
      : Promise.resolve(createHttpJudge({ ...service, interruption: interruption.signal })),
});
