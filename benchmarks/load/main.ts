/** The process behind `npm run bench:load`: wires the benchmark to the command line, the streams, signals and files. */
import process from 'node:process';
import { optionsFromEnvironment } from 'parapet/engine';
import { openOutputs } from '../accuracy/output-file.js';
import { renderText } from '../accuracy/report/text-report.js';
import { runCommand } from '../command.js';
import { HELP, parseLoadArguments, type LoadOptions } from './arguments.js';
import { runBenchmark } from './benchmark-run.js';
import { measureBesideDecisions } from './beside-decisions.js';
import { tablesOf } from './report/load-tables.js';
import { createServers } from './targets/server-process.js';

const servers = createServers();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void servers.stopAll().finally(() => process.exit(1)));
}

try {
  await runCommand(HELP, (argv) => run(parseLoadArguments(argv)));
} finally {
  await servers.stopAll();
}

async function run(options: LoadOptions): Promise<void> {
  const deps = {
    modelFolder: optionsFromEnvironment().modelDir,
    servers,
    onProgress: (line: string): unknown => process.stderr.write(`${line}\n`),
  };
  if (options.decisions) {
    const { tables, notes } = await measureBesideDecisions(options, deps);
    process.stdout.write(renderText(tables, notes));
    return;
  }
  // Opened first: a path that cannot be written must not show after half an hour.
  const output = (await openOutputs({ json: options.json }, [])).get('json');
  try {
    const results = await runBenchmark(options, deps);
    process.stdout.write(renderText(tablesOf(results), results.notes));
    await output?.write(`${JSON.stringify(results, null, 2)}\n`);
    await output?.commit();
  } finally {
    await output?.discard();
  }
}
