/** One run of the benchmark: starts all subjects, measures them in turn, and works out the figures. */
import { loadavg } from 'node:os';
import { readManifest } from 'parapet/engine';
import type { LoadOptions } from './arguments.js';
import { goalsOf } from './figures/goals.js';
import { summarise } from './figures/load-figures.js';
import { describeMachine } from './figures/machine.js';
import type { Measurement } from './figures/measurement.js';
import { notesOf } from './figures/notes.js';
import type { Results } from './figures/results.js';
import { startGenerator } from './generator/generator-process.js';
import { createMeasurer, type Measurer, type Times } from './measurer.js';
import { testMemory } from './memory-test.js';
import { startRawLoop } from './peers/raw-loop.js';
import { runRounds } from './rounds.js';
import { startBareFastify, startService } from './targets/node-servers.js';
import { startPeers } from './targets/peer-choice.js';
import type { Servers } from './targets/server-process.js';
import { stopTarget, type Target } from './targets/target.js';
import { createModelInputs } from './texts/model-inputs.js';
import { loadTextPool } from './texts/text-pool.js';

export interface BenchmarkDeps {
  readonly modelFolder: string;
  /** The caller stops them, whatever happens. */
  readonly servers: Servers;
  readonly onProgress: (line: string) => unknown;
}

/** @throws OperatorError when a text file or the model cannot be read, or a server does not start */
export async function runBenchmark(options: LoadOptions, deps: BenchmarkDeps): Promise<Results> {
  const beganMs = performance.now();
  const [loadAverageBefore = 0] = loadavg();
  const { modelFolder, servers, onProgress } = deps;
  const { workers, rounds, warmUpMs, measureMs, arrivals, soakRequests } = options;
  const manifest = await readManifest(modelFolder);
  const pool = await loadTextPool(options.texts);
  onProgress(pool.description);
  // What stands beside the service runs ONNX models.
  const onnx = manifest.runtime === 'onnx';
  const generator = startGenerator(pool.texts);
  const raw = onnx
    ? {
        inputs: await createModelInputs(pool.texts, modelFolder, manifest.window.maxTokens),
        loop: await startRawLoop(modelFolder, workers),
      }
    : undefined;
  let stage = 'trial';
  const newMeasurer = (times: Times): Measurer =>
    createMeasurer({
      generator,
      poolSize: pool.texts.length,
      times,
      onMeasured: (measurement) => onProgress(`${stage}: ${lineOf(measurement)}`),
    });
  const start = (): Promise<Target> => startService(servers, { workers, modelFolder });
  try {
    const startsMs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const started = await start();
      startsMs.push(...started.processes.map(({ readyAfterMs }) => readyAfterMs));
      await stopTarget(started);
    }
    const { maxTokens } = manifest.window;
    const python = {
      servers,
      measurer: newMeasurer({ warmUpMs, measureMs: measureMs / 2 }),
      cores: workers,
      modelFolder,
      maxTokens,
    };
    const { peers, notes } = await startPeers(onnx ? options.peers : undefined, python);
    const service = await start();
    const times = { warmUpMs, measureMs };
    const measurer = newMeasurer(times);
    const bare = await runRounds(rounds, {
      subjects: {
        service,
        bareFastify: await startBareFastify(servers),
        peers: peers.map(({ target }) => target),
        raw,
      },
      measurer,
      times,
      arrivals,
      workers,
      onRound: (round) => (stage = `round ${round} of ${rounds}`),
    });
    const loads = summarise(measurer.measurements);
    stage = 'memory test';
    const machine = describeMachine();
    const memory = await testMemory({ service, measurer, requests: soakRequests, loads });
    return {
      finishedAt: new Date().toISOString(),
      minutes: (performance.now() - beganMs) / 60_000,
      model: `${manifest.id}@${manifest.version}`,
      texts: pool.description,
      runsPerText: bare?.runsPerText ?? null,
      tokensPerText: bare?.tokensPerText ?? null,
      workers,
      rounds,
      measureSeconds: measureMs / 1000,
      arrivals,
      machine,
      peers: peers.map(({ target, description }) => ({ name: target.name, description })),
      goals: goalsOf({ modelId: manifest.id, cores: machine.cores, loads, workers, startsMs, memory }),
      loads,
      memory,
      startsMs,
      notes: [...notes, ...(onnx ? [] : [NO_PEERS]), ...notesOf({ loads, rounds, loadAverageBefore })],
    };
  } finally {
    generator.stop();
    raw?.loop.stop();
  }
}

const NO_PEERS = 'The model does not run on ONNX Runtime: the raw loop and the peers in Python were left out.';

function lineOf({ subject, load, perSecond, latenciesMs }: Measurement): string {
  const middle = latenciesMs[Math.floor(latenciesMs.length / 2)];
  const latency = middle === undefined ? '' : `, median ${middle.toFixed(1)} ms`;
  return `${subject}: ${load}: ${perSecond.toFixed(1)}/s${latency}`;
}
