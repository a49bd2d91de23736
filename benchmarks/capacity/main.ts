/** The process behind `npm run bench:capacity`: measures, or reads what was measured, and prints what that predicts. */
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { OperatorError, optionsFromEnvironment } from 'parapet/engine';
import { openOutputs } from '../accuracy/output-file.js';
import { renderText } from '../accuracy/report/text-report.js';
import { readFlags, runCommand, wholeNumber } from '../command.js';
import { createServers } from '../load/targets/server-process.js';
import { crowdingTable } from './crowding.js';
import { measure, measuredSchema, type Measured } from './measure.js';
import { tablesOf } from './tables.js';

const HELP = `Usage: npm run --silent bench:capacity -- [--workers N] [--rounds N] [--seconds N] [--json FILE]
       npm run --silent bench:capacity -- --crowding [--rounds N] [--seconds N]
       npm run --silent bench:capacity -- --from FILE

  --workers N    worker threads of the service that is measured (2)
  --rounds N     rounds in which everything is measured in turn; medians count (2)
  --seconds N    how long each load is measured in a round (8)
  --json FILE    write what was measured
  --crowding     only what a text costs where one, two, four … run at once, in processes and in threads
  --from FILE    measure nothing: predict from such a file

Run npm run build first, and nothing else beside it. Exit status: 0, or 2 with the reason on standard error.
`;

const FLAGS = {
  workers: { type: 'string', default: '2' },
  rounds: { type: 'string', default: '2' },
  seconds: { type: 'string', default: '8' },
  json: { type: 'string' },
  crowding: { type: 'boolean', default: false },
  from: { type: 'string' },
} as const;

const servers = createServers();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void servers.stopAll().finally(() => process.exit(1)));
}

const onProgress = (line: string): void => void process.stderr.write(`${line}\n`);

async function crowding({ rounds, seconds }: Pick<ReturnType<typeof readFlags<typeof FLAGS>>, 'rounds' | 'seconds'>) {
  const table = await crowdingTable({
    rounds: wholeNumber('rounds', rounds, 1),
    measureMs: 1000 * wholeNumber('seconds', seconds, 1),
    modelFolder: optionsFromEnvironment().modelDir,
    onProgress,
  });
  process.stdout.write(renderText([table], []));
}

async function measured(flags: ReturnType<typeof readFlags<typeof FLAGS>>): Promise<Measured> {
  if (flags.from !== undefined) return readMeasured(flags.from);
  return measure({
    workers: wholeNumber('workers', flags.workers, 1),
    rounds: wholeNumber('rounds', flags.rounds, 1),
    measureMs: 1000 * wholeNumber('seconds', flags.seconds, 1),
    modelFolder: optionsFromEnvironment().modelDir,
    servers,
    onProgress,
  });
}

async function readMeasured(path: string): Promise<Measured> {
  try {
    return measuredSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    throw new OperatorError(`${path} cannot be read, or is nothing that --json wrote.`, { cause });
  }
}

await runCommand(HELP, async (argv) => {
  const flags = readFlags(argv, FLAGS);
  if (flags.crowding) return crowding(flags);
  const output = (await openOutputs({ json: flags.json }, [])).get('json');
  try {
    const found = await measured(flags);
    await output?.write(`${JSON.stringify(found)}\n`);
    await output?.commit();
    process.stdout.write(renderText(tablesOf(found), []));
  } finally {
    await output?.discard();
    await servers.stopAll();
  }
});
