/** The `doctor` command: every check, one after another, as a table or as JSON. What is checked is machine-checks.ts and service-checks.ts. */
import { OperatorError } from '../../errors.js';
import { asksForHelp, exitStatusOf, readArguments, type Output } from '../command.js';
import { checkClock, checkNode, checkProcessor, type Finding } from './machine-checks.js';
import { checkRecords, checkTexts } from './record-checks.js';
import { checkDisk, checkModel, checkPort, checkRuntime, checkStore, type CheckedConfig } from './service-checks.js';

const HELP = `Usage: npx parapet doctor [--json]

  Says of this machine, with the settings as the service would read them: Node, processor, model and its hashes, whether
  the runtime loads and judges a text, what is kept and whether it can be written, whether DECISIONS_KEY opens the texts
  that are kept, disk, port, clock.

Exit status: 0 where nothing failed, 1 where something did (each such line says what to do), or 2 with the reason on
standard error.
`;

export interface DoctorCliDeps {
  /** @throws OperatorError that lists every setting that is wrong */
  readonly config: () => CheckedConfig;
  readonly now: () => Date;
  readonly stdout: Output;
  readonly stderr: Output;
}

/** Resolves to the exit status: 0, 1 where a check failed, or 2 after one line on stderr. Never rejects. */
export async function runDoctorCli(argv: readonly string[], deps: DoctorCliDeps): Promise<number> {
  let found = 0;
  const ended = await exitStatusOf(async () => {
    const { values, positionals } = readArguments(argv, {
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    });
    if (asksForHelp(argv)) return void deps.stdout.write(HELP);
    if (positionals.length > 0) throw new OperatorError('doctor takes flags only. See --help.');
    const findings = await examine(deps);
    const ok = findings.every(({ state }) => state !== 'failed');
    found = ok ? 0 : 1;
    deps.stdout.write(values.json ? `${JSON.stringify({ ok, findings })}\n` : findings.map(lineOf).join(''));
  }, deps.stderr);
  return ended || found;
}

async function examine({ config, now }: DoctorCliDeps): Promise<Finding[]> {
  const machine = [checkNode(process.version), checkProcessor()];
  let settings: CheckedConfig;
  try {
    settings = config();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const todo = 'Set them right, and run this again: the rest depends on them.';
    return [...machine, checkClock(now(), []), { name: 'settings', state: 'failed', says: error.message, todo }];
  }
  const model = await checkModel(settings);
  const { finding: store, keys, keepers, records: location } = await checkStore(settings, now());
  const inFiles = settings.databaseUrl === undefined;
  const records = inFiles && location !== undefined ? await checkRecords(location) : undefined;
  return [
    ...machine,
    model.finding,
    await checkRuntime(settings, model.isWhole),
    store,
    ...(records ? [records.finding] : []),
    ...(location === undefined ? [] : [await checkTexts(settings, keepers, records?.areReadable ?? true)]),
    ...(inFiles ? [await checkDisk(settings)] : []),
    await checkPort('port', settings.host, settings.port),
    ...(typeof settings.metrics === 'number' ? [await checkPort('metrics', settings.host, settings.metrics)] : []),
    checkClock(now(), keys),
  ];
}

const INDENT = ' '.repeat(20);

function lineOf({ state, name, says, todo }: Finding): string {
  const told = says.replaceAll('\n', `\n${INDENT}`);
  return `${state.padEnd(9)}${name.padEnd(11)}${told}\n${todo === undefined ? '' : `${INDENT}→ ${todo}\n`}`;
}
