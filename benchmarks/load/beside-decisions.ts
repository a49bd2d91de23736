/** What it costs the others that one project keeps 10,000 decisions a minute: the same two streams in turns, with and without keeping. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { loadavg } from 'node:os';
import { promisify } from 'node:util';
import type { Table } from '../accuracy/report/table.js';
import type { LoadOptions } from './arguments.js';
import { describeMachine } from './figures/machine.js';
import type { Measurement } from './figures/measurement.js';
import { median, percentile } from './figures/percentiles.js';
import { startGenerator } from './generator/generator-process.js';
import { fewOf, LOADS, paced, repeated, saturating } from './loads.js';
import { createMeasurer } from './measurer.js';
import { builtSource, createKey, startService } from './targets/node-servers.js';
import type { BenchmarkDeps } from './benchmark-run.js';
import { loadTextPool } from './texts/text-pool.js';

const DECISIONS_PER_MINUTE = 10_000;
const TURNS = ['nothing', 'verdicts', 'texts'] as const;
type Kept = (typeof TURNS)[number];

/** One turn of one round. */
interface Turn {
  readonly kept: Kept;
  readonly quiet: Measurement;
  /** Of those that are kept, or would be. */
  readonly others: Measurement;
}

export interface BesideDecisions {
  readonly tables: readonly Table[];
  readonly notes: readonly string[];
}

/**
 * One service and four projects. The unique texts whose latency is measured are of one that keeps nothing; beside them come texts that the cache knows, of
 * one that keeps nothing, verdicts, or texts. @throws OperatorError as `runBenchmark`
 */
export async function measureBesideDecisions(options: LoadOptions, deps: BenchmarkDeps): Promise<BesideDecisions> {
  const { workers, rounds, warmUpMs, measureMs, arrivals } = options;
  const { modelFolder, servers, onProgress } = deps;
  const pool = await loadTextPool(options.texts);
  onProgress(pool.description);
  const generator = startGenerator(pool.texts);
  try {
    const environment = { DECISIONS_KEY: randomBytes(32).toString('base64') };
    const { keysFile, ...service } = await startService(servers, { workers, modelFolder, environment });
    const keyOf = async (kept: Kept): Promise<string> => {
      const key = await createKey(keysFile, kept);
      const set = [builtSource('cli/policies.js'), 'set', kept, '--keep', kept === 'nothing' ? 'none' : `${kept}:30`];
      await promisify(execFile)(process.execPath, set, { env: { KEYS_FILE: keysFile, ...environment } });
      return key;
    };
    const keys: Record<Kept, string> = {
      nothing: await keyOf('nothing'),
      verdicts: await keyOf('verdicts'),
      texts: await keyOf('texts'),
    };
    const measurer = createMeasurer({
      generator,
      poolSize: pool.texts.length,
      times: { warmUpMs, measureMs },
      onMeasured: () => undefined,
    });
    const perSecond = await measurer.measure(service, [{ load: LOADS.unique, stream: saturating() }]);
    const turns: Turn[] = [];
    let seed = 0;
    for (let round = 1; round <= rounds; round += 1) {
      for (const kept of round % 2 === 1 ? TURNS : TURNS.toReversed()) {
        seed += 1;
        const pace = { kind: 'open', connections: 128, perSecond: DECISIONS_PER_MINUTE / 60, arrivals, seed } as const;
        await measurer.measure(service, [
          { load: LOADS.unique, stream: paced(fewOf(perSecond, { arrivals, seed: round })) },
          { load: LOADS.cached, stream: { ...paced(pace, repeated(1)), headers: { 'X-API-Key': keys[kept] } } },
        ]);
        const [quiet, others] = measurer.measurements.slice(-2);
        if (quiet === undefined || others === undefined) throw new Error('two streams were to be measured');
        turns.push({ kept, quiet, others });
        onProgress(`round ${round} of ${rounds}: ${lineOf({ kept, quiet, others })}`);
      }
    }
    return report(turns, options, pool.description);
  } finally {
    generator.stop();
  }
}

const latencyOf = ({ quiet }: Turn, share: number): number | null => percentile(quiet.latenciesMs, share);
const httpOf = ({ quiet }: Turn): number | null => quiet.threads?.http ?? null;
const helpersOf = ({ quiet }: Turn): number | null => quiet.threads?.helpers ?? null;
const fixed = (value: number | null, digits = 1): string => (value === null ? 'n/a' : value.toFixed(digits));

function lineOf(turn: Turn): string {
  const [load = 0] = loadavg();
  const latencies = [0.5, 0.99].map((share) => fixed(latencyOf(turn, share))).join(' and ');
  return `beside ${turn.kept} kept: p50 and p99 ${latencies} ms, load average ${load.toFixed(1)}`;
}

function report(turns: readonly Turn[], options: LoadOptions, texts: string): BesideDecisions {
  const of = (kept: Kept): Turn[] => turns.filter((turn) => turn.kept === kept);
  const figure = (kept: Kept, read: (turn: Turn) => number | null): number | null => median(of(kept).map(read));
  /** Within a round, as a machine that slows down slows both. */
  const ratio = (kept: Kept, read: (turn: Turn) => number | null): number | null =>
    median(of(kept).map((turn, round) => quotient(read(turn), of('nothing')[round], read)));
  const rows = TURNS.map((kept) => [
    kept,
    ...[0.5, 0.9, 0.99].map((share) => fixed(figure(kept, (turn) => latencyOf(turn, share)))),
    ...[0.5, 0.99].map((share) =>
      fixed(
        ratio(kept, (turn) => latencyOf(turn, share)),
        2,
      ),
    ),
    ...[httpOf, helpersOf].map((read) => fixed(figure(kept, read), 3)),
    fixed(figure(kept, ({ others }) => others.perSecond)),
  ]);
  const headings = [
    'kept beside',
    'p50 ms',
    'p90 ms',
    'p99 ms',
    'p50 ratio',
    'p99 ratio',
    'HTTP cores',
    'helper cores',
    'others/s',
  ];
  const { processor, cores, node } = describeMachine();
  const { rounds, measureMs, workers } = options;
  return {
    tables: [{ title: 'Unique texts of a project that keeps nothing', headings, rows }],
    notes: [
      `${rounds} rounds of ${measureMs / 1000} s a turn, ${workers} workers; medians, ratios within a round. ${texts}`,
      `${processor}, ${cores} cores, Node ${node}; ${DECISIONS_PER_MINUTE} decisions a minute, all of texts that the cache knows.`,
    ],
  };
}

function quotient(value: number | null, other: Turn | undefined, read: (turn: Turn) => number | null): number | null {
  const divisor = other === undefined ? null : read(other);
  return value === null || divisor === null ? null : value / divisor;
}
