/** Words how the product and its peers judge the same rows, and how fast. */
import type { BinaryFigures, Measured, Results } from '../results.js';
import type { Table } from './table.js';
import { decimal, estimated } from './wording.js';

/** None where no peer was asked for. */
export function peerTables({ model, judged, seconds, measured, peers }: Results): readonly Table[] {
  const ours = measured.find(isBinary);
  if (peers.length === 0 || ours === undefined) return [];
  const ourRate = judged / seconds;
  const judges = [{ peer: model ?? 'none', rowsPerSecond: ourRate, figures: ours.figures }, ...peers];
  return [
    {
      title: `Peers against the label in column "${ours.labelColumn}"`,
      headings: ['judge', 'precision', 'recall', 'F1', 'ROC-AUC', 'rows/s', 'of our speed'],
      rows: judges.map(({ peer, rowsPerSecond, figures: { decisions, mainDecision, rocAuc } }) => {
        const decision = decisions.find(({ name }) => name === mainDecision);
        return [
          peer,
          ...[decision?.precision, decision?.recall].map((figure) => decimal(figure?.value ?? null)),
          estimated(decision?.f1 ?? null),
          decimal(rocAuc?.value ?? null),
          rowsPerSecond.toFixed(0),
          `${(rowsPerSecond / ourRate).toFixed(2)} x`,
        ];
      }),
      note:
        'Each as its documentation says, one after the other on this machine; from a probability of 0.5 on a peer flags. Of a list that only ' +
        'says yes or no ROC-AUC is the mean of recall and the share of negatives that pass.',
    },
  ];
}

function isBinary(measured: Measured): measured is Measured & { figures: BinaryFigures } {
  return measured.figures.kind === 'binary';
}
