/** What is too frequent to be written at once, uses of keys and statistics: collected in memory, and added to what is kept now and then. */
import type { JsonFile } from './json-file.js';
import { countAnswer, noStatistics, sumOf, type Statistics } from './statistics-record.js';
import type { StatisticsRepository, UsageRepository } from './store.js';
import { latestUses, type LastUses } from './usage-file.js';
import { messageOf } from '../errors.js';

interface BehindDeps<Batch> {
  /** To what is kept. */
  readonly add: (batch: Batch) => Promise<void>;
  /** Told of the first in a row of failures to write: a read-only folder would else be reported every minute. */
  readonly onProblem: (message: string) => void;
}

export function createUsage({ add, onProblem }: BehindDeps<LastUses>): UsageRepository {
  const behind = createWriteBehind<Map<string, number>>({
    empty: () => new Map(),
    isEmpty: ({ size }) => size === 0,
    add,
    sumOf: latestUses,
    onFailure: (error) => onProblem(`The last use of keys could not be written: ${messageOf(error)}`),
  });
  return {
    note(keyId, at) {
      const pending = behind.pending();
      pending.set(keyId, Math.max(at.getTime(), pending.get(keyId) ?? 0));
    },
    flush: () => behind.flush(),
  };
}

interface StatisticsDeps extends BehindDeps<Statistics> {
  readonly read: () => Promise<Statistics>;
  readonly now: () => Date;
}

export function createStatistics({ read, add, now, onProblem }: StatisticsDeps): StatisticsRepository {
  const behind = createWriteBehind<Statistics>({
    empty: noStatistics,
    isEmpty: ({ days }) => Object.keys(days).length === 0,
    add,
    sumOf: (earlier, later) => sumOf(earlier, later, now()),
    onFailure: (error) => onProblem(`Statistics could not be written: ${messageOf(error)}`),
  });
  return {
    note: (answered) => countAnswer(behind.pending(), answered, now()),
    // Where they cannot be read, the next flush reports it.
    current: async () => sumOf(await read().catch(noStatistics), behind.pending(), now()),
    flush: () => behind.flush(),
  };
}

/** Of a file that a server goes on without. */
export function readOr<Contents extends object>(file: JsonFile<Contents>, otherwise: Contents): Contents {
  try {
    return file.read();
  } catch {
    return otherwise;
  }
}

interface WriteBehindDeps<Batch> {
  readonly empty: () => Batch;
  readonly isEmpty: (batch: Batch) => boolean;
  /** Adds it to what is kept. */
  readonly add: (batch: Batch) => Promise<void>;
  readonly sumOf: (earlier: Batch, later: Batch) => Batch;
  /** Told of the first in a row of failures. */
  readonly onFailure: (error: unknown) => void;
}

interface WriteBehind<Batch> {
  /** What is not written yet, to be changed in place. */
  pending(): Batch;
  /** Never rejects: what could not be written is kept for the next time. */
  flush(): Promise<void>;
}

function createWriteBehind<Batch>(deps: WriteBehindDeps<Batch>): WriteBehind<Batch> {
  const { empty, isEmpty, add, sumOf, onFailure } = deps;
  let pending = empty();
  let failing = false;
  let flushing = Promise.resolve();

  async function flushNow(): Promise<void> {
    if (isEmpty(pending)) return;
    const writing = pending;
    pending = empty();
    try {
      await add(writing);
      failing = false;
    } catch (error) {
      pending = sumOf(writing, pending);
      if (!failing) onFailure(error);
      failing = true;
    }
  }

  return { pending: () => pending, flush: () => (flushing = flushing.then(flushNow)) };
}
