/** Has peers judge the rows that the product judged, one peer after the other, and counts as it does for the product. */
import { type DatasetSource, isPositive } from 'parapet/engine';
import { createBinaryEvaluation } from '../evaluation/binary-evaluation.js';
import type { Judge } from '../judges/judge.js';
import { judgeRows } from '../judging.js';
import type { ResamplingOptions } from '../metrics/resampling.js';
import type { Progress } from '../progress.js';
import type { PeerFigures } from '../results.js';

export interface PeerRun {
  readonly source: DatasetSource;
  /** Where the truth stands among the labels of a row. */
  readonly place: number;
  readonly positive: string | undefined;
  readonly resampling: ResamplingOptions;
  readonly interruption: AbortSignal | undefined;
  readonly newProgress: () => Progress;
}

/** @throws OperatorError when a peer does not answer */
export async function measurePeers(peers: readonly Judge[], run: PeerRun): Promise<PeerFigures[]> {
  const { source, place, positive, resampling, interruption, newProgress } = run;
  const measured: PeerFigures[] = [];
  for (const judge of peers) {
    const evaluation = createBinaryEvaluation('toxicity', { resampling, target: undefined, groupRows: undefined });
    const { judged, seconds } = await judgeRows({
      ...{ source, judge, interruption, progress: newProgress(), predictions: undefined },
      onJudgement: (row, judgement) => evaluation.add(row, isPositive(row.labels[place] ?? '', positive), judgement),
    });
    const { figures } = evaluation.finish();
    measured.push({ peer: judge.description, rowsPerSecond: judged / seconds, figures });
  }
  return measured;
}
