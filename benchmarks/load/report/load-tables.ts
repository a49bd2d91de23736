/** Words the results as tables of plain text, once for the terminal and the page. */
import type { Table } from '../../accuracy/report/table.js';
import type { Goal } from '../figures/goals.js';
import type { LoadFigures } from '../figures/load-figures.js';
import { takenShare } from '../figures/generator-account.js';
import type { Results } from '../figures/results.js';

export function tablesOf(results: Results): readonly Table[] {
  return [
    runTable(results),
    goalTable(results),
    loadTable(results.loads),
    profileTable(results.loads),
    usageTable(results),
    stageTable(results.loads),
  ];
}

export function runTable(results: Results): Table {
  const { machine, memory } = results;
  return {
    title: 'Run',
    headings: [],
    rows: [
      ['model', results.model],
      [
        'machine',
        `${machine.cores} cores, ${machine.processor}, ${machine.memoryGigabytes} GB, ${machine.system}, Node ${machine.node}`,
      ],
      ['workers', `${results.workers}`],
      [
        'rounds',
        `${results.rounds}, ${results.measureSeconds} s for each load; arrivals of open loops: ${results.arrivals}`,
      ],
      ['texts', results.texts],
      ['a short text', inputsLine(results)],
      ...results.peers.map(({ name, description }) => [name, description]),
      ...(memory === null
        ? []
        : [
            [
              'memory test',
              `${memory.requests} requests: ${whole(memory.beginMegabytes)} MB, then ${whole(memory.endMegabytes)} MB`,
            ],
          ]),
      ['healthy after', results.startsMs.map((ms) => `${whole(ms)} ms`).join(', ')],
      ['finished', `${results.finishedAt} after ${results.minutes.toFixed(1)} minutes`],
    ],
  };
}

export function goalTable({ goals, rounds }: Results): Table {
  return {
    title: 'Goals',
    headings: ['goal', 'wanted', 'measured', 'with the generator', ''],
    rows: goals.map((goal) => [
      goal.goal,
      `${goal.kind} ${goal.limit} ${goal.unit}`,
      valueOf(goal.measured, goal.unit),
      valueOf(goal.withGenerator, goal.unit),
      verdictOf(goal),
    ]),
    note: `Ratios are medians of the ratios of each of ${rounds} rounds. Of rates over HTTP that use all cores, the processor time of the generator is taken out; beside it the ratio with it.`,
  };
}

function valueOf(value: number | null, unit: Goal['unit']): string {
  if (value === null) return '';
  const digits = unit === '×' ? 2 : unit === 'ms' && value < 10 ? 3 : 1;
  return `${value.toFixed(digits)} ${unit}`;
}

function verdictOf({ measured, reached }: Goal): string {
  if (measured === null) return 'not measured';
  return reached ? 'reached' : 'not reached';
}

export function loadTable(loads: readonly LoadFigures[]): Table {
  return {
    title: 'Loads',
    headings: ['', 'due/s', 'answers/s', 'p50 ms', 'p90 ms', 'p99 ms', 'p99.9 ms', 'errors'],
    rows: loads.map(({ subject, load, median, errors }) => [
      `${subject}: ${load}`,
      rate(median.offeredPerSecond),
      rate(median.perSecond),
      ...[median.p50Ms, median.p90Ms, median.p99Ms, median.p999Ms].map(milliseconds),
      errorsOf(errors),
    ]),
    note: 'Medians of the rounds. Where a rate was due, latency counts from the time that a request was due. n/a: too few answers in a round.',
  };
}

function errorsOf(errors: LoadFigures['errors']): string {
  const worded = Object.entries(errors).map(([answer, count]) => `${answer}: ${count}`);
  return worded.length === 0 ? '0' : worded.join(', ');
}

export function profileTable(loads: readonly LoadFigures[]): Table {
  const known = loads.filter(({ median }) => median.cpuMs !== null);
  return {
    title: 'Profile by thread, ms of processor time an answer',
    headings: ['', 'all', 'HTTP thread', 'workers', 'helpers', 'generator'],
    rows: known.map(({ subject, load, median }) => [
      `${subject}: ${load}`,
      ...[median.cpuMs, median.httpThreadMs, median.workersMs, median.helpersMs, median.askingMs].map(processorTime),
    ]),
    note: 'From /proc, of the whole process, by thread where it is of Node. Helpers: garbage collection, compilation, files. The generator is not in "all".',
  };
}

export function usageTable({ loads, machine, workers }: Pick<Results, 'loads' | 'machine' | 'workers'>): Table {
  const known = loads.filter(({ median }) => median.cpuCores !== null || median.generatorCores !== null);
  const share = (generatorCores: number | null): string =>
    generatorCores === null
      ? ''
      : `${(100 * takenShare(generatorCores, { cores: machine.cores, workers })).toFixed(1)} %`;
  return {
    title: 'Processor and memory',
    headings: ['', 'server, cores', 'server, MB', 'generator, cores', 'taken from the server'],
    rows: known.map(({ subject, load, median }) => [
      `${subject}: ${load}`,
      decimal(median.cpuCores),
      whole(median.memoryMegabytes),
      decimal(median.generatorCores),
      share(median.generatorCores),
    ]),
    note: `Taken: what the generator used beyond the cores that ${workers} workers leave, as a share of theirs.`,
  };
}

export function stageTable(loads: readonly LoadFigures[]): Table {
  const known = loads.filter(({ median }) => median.totalMs !== null);
  return {
    title: 'Stages of a request in the service, mean ms',
    headings: ['', 'total', 'queue', 'tokenise', 'infer', 'rest'],
    rows: known.map(({ load, subject, median }) => [
      `${subject}: ${load}`,
      ...[median.totalMs, median.queueMs, median.tokenizeMs, median.inferMs, median.restMs].map(milliseconds),
    ]),
    note: 'infer is of all workers together: of a long text more than the time that passed, and then there is no rest.',
  };
}

function rate(value: number | null): string {
  if (value === null) return '';
  return value.toFixed(value < 100 ? 1 : 0);
}

function milliseconds(value: number | null): string {
  if (value === null) return 'n/a';
  return value.toFixed(value < 1 ? 3 : value < 100 ? 2 : 0);
}

function processorTime(value: number | null): string {
  return value === null ? '' : value.toFixed(3);
}

function decimal(value: number | null): string {
  return value === null ? 'n/a' : value.toFixed(2);
}

function whole(value: number | null): string {
  return value === null ? 'n/a' : value.toFixed(0);
}

function inputsLine({ tokensPerText, runsPerText }: Results): string {
  if (tokensPerText === null || runsPerText === null) return 'not counted for this model';
  return `${tokensPerText.toFixed(1)} tokens in ${runsPerText.toFixed(3)} runs on average`;
}
