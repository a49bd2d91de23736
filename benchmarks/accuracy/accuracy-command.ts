/** The `parapet accuracy` command: runs the benchmark for its arguments and words the outcome. Knows nothing of how texts are judged. */
import { OperatorError, ServiceError } from 'parapet/engine';
import { parseAccuracyArguments } from './arguments.js';
import { runBenchmark, type BenchmarkDeps } from './benchmark-run.js';
import { HELP } from './help.js';
import { tablesOf } from './report/result-tables.js';
import { renderText } from './report/text-report.js';

export interface AccuracyCliDeps extends BenchmarkDeps {
  readonly stdout: { write(text: string): unknown };
  /** The key of the service, from the environment: a key in the arguments shows in the list of processes. */
  readonly environmentKey: string | undefined;
}

/** For CI: the run is good, and something got worse. */
const STATUS_WORSE = 3;

/**
 * Resolves to the exit status: 0, 3 when something got worse since the run that `--compare` names, 2 after one line of reason on
 * stderr, or 1 when the benchmark itself is at fault.
 */
export async function runAccuracyCli(argv: readonly string[], deps: AccuracyCliDeps): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    deps.stdout.write(HELP);
    return 0;
  }
  try {
    const options = parseAccuracyArguments(argv, deps.environmentKey);
    const results = await runBenchmark(options, deps);
    deps.stdout.write(renderText(tablesOf(results), results.notes));
    return results.comparison !== null && results.comparison.worse.length > 0 ? STATUS_WORSE : 0;
  } catch (error) {
    if (error instanceof OperatorError || error instanceof ServiceError) {
      deps.stderr.write(`${withoutKeys(error.message).replaceAll(/\s+/g, ' ').trim()}\n`);
      return 2;
    }
    deps.stderr.write(`${withoutKeys(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`);
    return 1;
  }
}

/** Messages of foreign code can quote what they were given. */
function withoutKeys(message: string): string {
  return message.replaceAll(/sk_(live|test)_\w+/g, 'sk_$1_…');
}
