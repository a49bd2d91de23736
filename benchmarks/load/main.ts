/** The process behind `npm run bench:load`: wires the benchmark to the command line, the streams, signals and files. */
import process from 'node:process';
import { loadConfig } from '../../src/config.js';
import { openOutputs } from '../accuracy/output-file.js';
import { renderText } from '../accuracy/report/text-report.js';
import { runCommand } from '../command.js';
import { HELP, parseLoadArguments, type LoadOptions } from './arguments.js';
import { runBenchmark } from './benchmark-run.js';
import { renderPage } from './report/page.js';
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
  // Opened first: a path that cannot be written must not show after half an hour.
  const outputs = await openOutputs({ json: options.json, html: options.html }, []);
  try {
    const results = await runBenchmark(options, {
      modelFolder: loadConfig().modelDir,
      servers,
      onProgress: (line) => process.stderr.write(`${line}\n`),
    });
    process.stdout.write(renderText(tablesOf(results), results.notes));
    await outputs.get('json')?.write(`${JSON.stringify(results, null, 2)}\n`);
    await outputs.get('html')?.write(renderPage(results));
    for (const output of outputs.values()) await output.commit();
  } finally {
    for (const output of outputs.values()) await output.discard();
  }
}
