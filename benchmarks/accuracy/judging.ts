/** Judges all rows in order and hands each judgement to those who count. Knows nothing of figures or reports. */
import { type DatasetSource, OperatorError, readRows, type Row } from 'parapet/engine';
import { refusalOf, type Judge, type Judgement, type Refusal } from './judges/judge.js';
import { mapInOrder } from './ordered-map.js';
import type { OutputFile } from './output-file.js';
import type { Progress } from './progress.js';

export interface JudgingOptions {
  readonly source: DatasetSource;
  readonly judge: Judge;
  readonly progress: Progress;
  readonly interruption: AbortSignal | undefined;
  readonly predictions: OutputFile | undefined;
  /** Called for every row that was judged, in the order of the file. */
  readonly onJudgement: (row: Row, judgement: Judgement) => void;
}

export interface Judged {
  readonly judged: number;
  /** Rows that could not be judged, per error code. */
  readonly skipped: Readonly<Record<string, number>>;
  /** `null` when every row was skipped. */
  readonly model: string | null;
  readonly seconds: number;
}

/** @throws OperatorError or ServiceError when a judgement cannot be had */
export async function judgeRows(options: JudgingOptions): Promise<Judged> {
  const { source, judge, progress, interruption, predictions, onJudgement } = options;
  const skipped = new Map<string, number>();
  const begunMs = performance.now();
  let model: string | null = null;
  let judged = 0;
  const judgeRow = async (row: Row): Promise<{ row: Row; outcome: Judgement | Refusal }> => {
    interruption?.throwIfAborted();
    return { row, outcome: refusalOf(row.text) ?? (await judge.judge(row.text)) };
  };
  try {
    for await (const { row, outcome } of mapInOrder(readRows(source), judgeRow, judge)) {
      progress.rowDone();
      if ('error' in outcome) {
        skipped.set(outcome.error, (skipped.get(outcome.error) ?? 0) + 1);
        await predictions?.write(`${JSON.stringify({ row: row.row, error: outcome.error })}\n`);
        continue;
      }
      judged += 1;
      model ??= outcome.model;
      if (outcome.model !== model)
        throw new OperatorError(`The model changed during the run: ${model}, ${outcome.model}.`);
      onJudgement(row, outcome);
      await predictions?.write(`${JSON.stringify(predictionOf(row, outcome))}\n`);
    }
  } catch (error) {
    if (interruption?.aborted !== true) throw error;
    throw new OperatorError('Interrupted: no file was written.', { cause: error });
  } finally {
    progress.end();
  }
  const seconds = (performance.now() - begunMs) / 1000;
  return { judged, skipped: Object.fromEntries(skipped), model, seconds };
}

/** The members are promised, in this order; see README.md. */
function predictionOf({ row }: Row, { score, passed, sentiment, categories, labels }: Judgement): object {
  return { row, score, passed, sentiment, categories, labels };
}
