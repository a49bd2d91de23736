/** Counts answers in memory and adds them now and then to a file that all servers of the folder share. A file at fault stops nothing. */
import { existsSync, renameSync } from 'node:fs';
import { OperatorError } from '../errors.js';
import { replaceFile } from '../keys/atomic-write.js';
import { withFileLock } from '../keys/file-lock.js';
import { fileVersionOf } from '../keys/file-version.js';
import { readRegularFile } from '../keys/regular-file.js';
import { errorCodeOf } from '../keys/system-error.js';
import { besideKeyFile } from '../keys/beside-key-file.js';
import {
  countAnswer,
  noStatistics,
  statisticsSchema,
  sumOf,
  type Answered,
  type Statistics,
} from './statistics-record.js';

export interface StatisticsStore {
  note(answered: Answered): void;
  /** Of all servers up to their last flush, and of this one up to now. Never throws. */
  current(): Statistics;
  /** Meant for a timer. Never rejects: what could not be written is kept for the next time. */
  flush(): Promise<void>;
}

export interface StatisticsDeps {
  readonly keysFile: string;
  readonly now?: () => Date;
  /** Told of a damaged file that was moved aside, and of the first in a row of failures to write. */
  readonly onProblem?: (message: string) => void;
}

export function createStatistics({ keysFile, now = () => new Date(), onProblem }: StatisticsDeps): StatisticsStore {
  const file = besideKeyFile(keysFile, 'statistics.json');
  let pending = noStatistics();
  let failing = false;
  let flushing = Promise.resolve();

  async function flushNow(): Promise<void> {
    if (Object.keys(pending.days).length === 0) return;
    const writing = pending;
    pending = noStatistics();
    try {
      await withFileLock(file, async () => {
        const stored = readStatistics(file) ?? moveAside();
        const text = `${JSON.stringify(sumOf(stored, writing, now()))}\n`;
        if (!(await replaceFile(file, text, fileVersionOf(file))))
          throw new OperatorError(`${file} changed meanwhile.`);
      });
      failing = false;
    } catch (error) {
      pending = sumOf(writing, pending, now());
      if (!failing) onProblem?.(`Statistics could not be written: ${reasonOf(error)}`);
      failing = true;
    }
  }

  /** One damaged file is kept, the latest: it is for a person to look at, not an archive. */
  function moveAside(): Statistics {
    renameSync(file, `${file}.damaged`);
    onProblem?.(`The statistics file ${file} was damaged. It is kept as ${file}.damaged, and counting begins anew.`);
    return noStatistics();
  }

  return {
    note: (answered) => countAnswer(pending, answered, now()),
    current() {
      let stored: Statistics | undefined;
      try {
        stored = readStatistics(file);
      } catch {
        // The next flush reports it.
      }
      return sumOf(stored ?? noStatistics(), pending, now());
    },
    flush: () => (flushing = flushing.then(flushNow)),
  };
}

/** @returns undefined where the file is damaged. @throws the system's error, or an OperatorError, where it cannot be read */
function readStatistics(file: string): Statistics | undefined {
  if (!existsSync(file)) return noStatistics();
  const { bytes } = readRegularFile(file);
  try {
    return statisticsSchema.safeParse(JSON.parse(bytes.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  return errorCodeOf(error) ?? (error instanceof Error ? error.message : String(error));
}
