/**
 * Judges the tasks that a worker was given at once: first the whole of each text, or its only segments, then what is left to ask. Sequences of different
 * texts share batches where the model judges several side by side. Reads no texts.
 */
import type { Prediction } from '../classifier.js';
import { groupsOf } from '../sequences.js';
import { failureOf, ModelOutputError } from './failure.js';
import type { SequencePrediction, TaskFailure, TaskOutcome, TaskResult } from './messages.js';

/** What was read of a text, or the sequences of one that was read in an earlier task. */
export interface ReadTask<Sequence> {
  /** Of all segments in order. */
  readonly sequences: readonly Sequence[];
  readonly whole: Sequence | undefined;
  readonly spans: boolean;
  readonly result: Pick<TaskResult<Sequence>, 'foreignLetters' | 'blockedTerms' | 'tokenizeMs' | 'backend'>;
}

export interface Judge<Sequence> {
  /** What the network says of up to `maxTexts` sequences, in their order. */
  readonly judge: (batch: readonly Sequence[]) => Promise<readonly SequencePrediction[]>;
  readonly tokensOf: (sequence: Sequence) => number;
  readonly maxTokens: number;
  readonly maxTexts: number;
  readonly isAbandoned: () => boolean;
}

const ABANDONED: TaskFailure = { failure: 'abandoned' };

/** A task under way. */
interface Item<Sequence> extends ReadTask<Sequence> {
  /** Its segments are more than one full sequence of tokens. */
  readonly isTooMuch: boolean;
  judgedWhole: SequencePrediction | undefined;
  readonly judged: Prediction[];
  inferMs: number;
  failure: TaskFailure | undefined;
}

interface Question<Sequence> {
  readonly item: Item<Sequence>;
  readonly sequence: Sequence;
  readonly keep: (prediction: SequencePrediction) => void;
}

/**
 * The whole of a text is judged where it is one sequence; then its segments, unless the whole is certainly harmless, or tells what the worst of them
 * is and nobody wants them for spans. Segments that are more than one full sequence of tokens go back unjudged: others may be waiting, and other
 * workers may be free.
 */
export async function judgeTasks<Sequence>(
  tasks: readonly (ReadTask<Sequence> | TaskFailure)[],
  judge: Judge<Sequence>,
): Promise<readonly TaskOutcome<Sequence>[]> {
  const { maxTokens, tokensOf } = judge;
  const items = tasks.map((task): Item<Sequence> | TaskFailure => {
    if ('failure' in task) return task;
    const isTooMuch = groupsOf(task.sequences, maxTokens, tokensOf).length > 1;
    return { ...task, isTooMuch, judgedWhole: undefined, judged: [], inferMs: 0, failure: undefined };
  });
  const read = items.filter((item): item is Item<Sequence> => 'sequences' in item);
  await judgeAll(
    read.flatMap((item) => (item.whole === undefined ? ofSegments(item) : [ofWhole(item, item.whole)])),
    judge,
  );
  await judgeAll(
    read.flatMap((item) => (item.whole === undefined || isDone(item) ? [] : ofSegments(item))),
    judge,
  );
  return items.map((item) => ('sequences' in item ? outcomeOf(item) : item));
}

function ofWhole<Sequence>(item: Item<Sequence>, sequence: Sequence): Question<Sequence> {
  return { item, sequence, keep: (prediction) => (item.judgedWhole = prediction) };
}

function ofSegments<Sequence>(item: Item<Sequence>): Question<Sequence>[] {
  if (item.isTooMuch) return [];
  return item.sequences.map((sequence) => ({
    item,
    sequence,
    keep: (prediction) => item.judged.push(segmentOf(prediction)),
  }));
}

function isDone<Sequence>({ judgedWhole, spans, failure }: Item<Sequence>): boolean {
  return failure !== undefined || judgedWhole?.exited === true || (judgedWhole?.highest !== undefined && !spans);
}

async function judgeAll<Sequence>(questions: readonly Question<Sequence>[], judge: Judge<Sequence>): Promise<void> {
  for (let begin = 0; begin < questions.length; begin += judge.maxTexts) {
    await judgeBatch(questions.slice(begin, begin + judge.maxTexts), judge);
  }
}

async function judgeBatch<Sequence>(questions: readonly Question<Sequence>[], judge: Judge<Sequence>): Promise<void> {
  const batch = questions.filter(({ item }) => item.failure === undefined);
  if (batch.length === 0) return;
  const fail = (failure: TaskFailure): void => batch.forEach(({ item }) => (item.failure = failure));
  if (judge.isAbandoned()) {
    fail(ABANDONED);
    return;
  }
  const begun = performance.now();
  try {
    const predictions = await judge.judge(batch.map(({ sequence }) => sequence));
    if (predictions.length < batch.length)
      throw new ModelOutputError('the model answered fewer texts than it was given');
    // A text may have no tokens, and takes its time nevertheless.
    const weightOf = ({ sequence }: Question<Sequence>): number => Math.max(1, judge.tokensOf(sequence));
    const msPerToken = (performance.now() - begun) / batch.reduce((sum, question) => sum + weightOf(question), 0);
    predictions.forEach((prediction, index) => {
      const question = batch[index];
      if (question === undefined) return;
      question.keep(prediction);
      question.item.inferMs += msPerToken * weightOf(question);
    });
  } catch (error) {
    // It may be the fault of one text, and the others have nothing to do with it.
    if (batch.length > 1) for (const question of batch) await judgeBatch([question], judge);
    else fail({ failure: failureOf(error) });
  }
}

function outcomeOf<Sequence>(item: Item<Sequence>): TaskOutcome<Sequence> {
  const { sequences, judgedWhole, judged, inferMs, failure, result } = item;
  if (failure !== undefined) return failure;
  const isLeft = item.isTooMuch && !isDone(item);
  return { ...result, whole: judgedWhole, judged, unjudged: isLeft ? sequences : [], inferMs };
}

/** Of a segment its labels say it better: the network learns to tell the worst of several. */
function segmentOf(prediction: SequencePrediction): Prediction {
  const { segment, start, end, tokens, unreadTokens, labels, sentiments, languages } = prediction;
  return { segment, start, end, tokens, unreadTokens, labels, sentiments, ...(languages && { languages }) };
}
