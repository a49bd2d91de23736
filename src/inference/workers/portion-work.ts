/**
 * Judges what a portion holds: first the whole of each text, or its only segments, then what is left to ask. Runs of different texts share
 * batches where the model judges several side by side. Reads no texts.
 */
import type { Reading } from '../classifier.js';
import { slicesOf } from '../runs.js';
import { failureOf, ModelOutputError } from './failure.js';
import type { PortionOutcome, RunReading, WorkFailure, WorkResult } from './messages.js';

/** What was read of a text, or the runs of one that was read in earlier work. */
export interface ReadWork<Run> {
  /** Of all segments in order. */
  readonly runs: readonly Run[];
  readonly whole: Run | undefined;
  readonly spans: boolean;
  readonly result: Pick<WorkResult<Run>, 'foreignLetters' | 'blockedTerms' | 'tokenizeMs' | 'backend'>;
}

export interface Judge<Run> {
  /** The readings of up to `maxTexts` runs, in their order. */
  readonly judge: (batch: readonly Run[]) => Promise<readonly RunReading[]>;
  readonly tokensOf: (run: Run) => number;
  readonly maxTokens: number;
  readonly maxTexts: number;
  readonly isAbandoned: () => boolean;
}

const ABANDONED: WorkFailure = { failure: 'abandoned' };

/** A piece of work under way. */
interface Item<Run> extends ReadWork<Run> {
  /** Its segments are more than one full run of tokens. */
  readonly isTooMuch: boolean;
  judgedWhole: RunReading | undefined;
  readonly judged: Reading[];
  inferMs: number;
  failure: WorkFailure | undefined;
}

interface Job<Run> {
  readonly item: Item<Run>;
  readonly run: Run;
  readonly keep: (reading: RunReading) => void;
}

/**
 * The whole of a text is judged where it is one run; then its segments, unless the whole is certainly harmless, or tells what the worst of them
 * is and nobody wants them for spans. Segments that are more than one full run of tokens go back unjudged: others may be waiting, and other
 * workers may be free.
 */
export async function judgePortion<Run>(
  portion: readonly (ReadWork<Run> | WorkFailure)[],
  judge: Judge<Run>,
): Promise<PortionOutcome<Run>> {
  const { maxTokens, tokensOf } = judge;
  const items = portion.map((work): Item<Run> | WorkFailure => {
    if ('failure' in work) return work;
    const isTooMuch = slicesOf(work.runs, maxTokens, tokensOf).length > 1;
    return { ...work, isTooMuch, judgedWhole: undefined, judged: [], inferMs: 0, failure: undefined };
  });
  const read = items.filter((item): item is Item<Run> => 'runs' in item);
  await judgeAll(
    read.flatMap((item) => (item.whole === undefined ? segmentJobs(item) : [wholeJob(item, item.whole)])),
    judge,
  );
  await judgeAll(
    read.flatMap((item) => (item.whole === undefined || isDone(item) ? [] : segmentJobs(item))),
    judge,
  );
  return items.map((item) => ('runs' in item ? outcomeOf(item) : item));
}

function wholeJob<Run>(item: Item<Run>, run: Run): Job<Run> {
  return { item, run, keep: (reading) => (item.judgedWhole = reading) };
}

function segmentJobs<Run>(item: Item<Run>): Job<Run>[] {
  if (item.isTooMuch) return [];
  return item.runs.map((run) => ({ item, run, keep: (reading) => item.judged.push(segmentOf(reading)) }));
}

function isDone<Run>({ judgedWhole, spans, failure }: Item<Run>): boolean {
  return failure !== undefined || judgedWhole?.exited === true || (judgedWhole?.highest !== undefined && !spans);
}

async function judgeAll<Run>(jobs: readonly Job<Run>[], judge: Judge<Run>): Promise<void> {
  for (let begin = 0; begin < jobs.length; begin += judge.maxTexts) {
    await judgeBatch(jobs.slice(begin, begin + judge.maxTexts), judge);
  }
}

async function judgeBatch<Run>(jobs: readonly Job<Run>[], judge: Judge<Run>): Promise<void> {
  const batch = jobs.filter(({ item }) => item.failure === undefined);
  if (batch.length === 0) return;
  const fail = (failure: WorkFailure): void => batch.forEach(({ item }) => (item.failure = failure));
  if (judge.isAbandoned()) {
    fail(ABANDONED);
    return;
  }
  const begun = performance.now();
  try {
    const readings = await judge.judge(batch.map(({ run }) => run));
    const answered = batch.map((job, index) => ({ ...job, reading: readings[index] ?? missing() }));
    // A text may have no tokens, and takes its time nevertheless.
    const weightOf = (run: Run): number => Math.max(1, judge.tokensOf(run));
    const msPerToken = (performance.now() - begun) / batch.reduce((sum, { run }) => sum + weightOf(run), 0);
    for (const { item, run, keep, reading } of answered) {
      keep(reading);
      item.inferMs += msPerToken * weightOf(run);
    }
  } catch (error) {
    // It may be the fault of one text, and the others have nothing to do with it.
    if (batch.length > 1) for (const job of batch) await judgeBatch([job], judge);
    else fail({ failure: failureOf(error) });
  }
}

function missing(): never {
  throw new ModelOutputError('the model answered fewer texts than it was given');
}

function outcomeOf<Run>(item: Item<Run>): WorkResult<Run> | WorkFailure {
  const { runs, judgedWhole, judged, inferMs, failure, result } = item;
  if (failure !== undefined) return failure;
  const isLeft = item.isTooMuch && !isDone(item);
  return { ...result, whole: judgedWhole, judged, unjudged: isLeft ? runs : [], inferMs };
}

/** Of a segment its labels say it better: the network learns to tell the worst of several. */
function segmentOf({ start, end, tokens, unreadTokens, labels, sentiments, languages }: RunReading): Reading {
  return { start, end, tokens, unreadTokens, labels, sentiments, ...(languages && { languages }) };
}
