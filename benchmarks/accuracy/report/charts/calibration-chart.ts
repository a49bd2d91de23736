/** The reliability diagram: what a probability says against what came true. */
import type { CalibrationBin } from '../../metrics/calibration.js';
import { ratio } from '../../metrics/decision.js';
import type { BinaryFigures } from '../../results.js';
import { estimated } from '../wording.js';
import { chart, figure, SHARES, x, y } from './frame.js';

export function calibrationChart({ calibrationBins, expectedCalibrationError }: BinaryFigures): string {
  const most = Math.max(1, ...calibrationBins.map(({ rows }) => rows));
  const body = [
    `<line class="dashed" x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}"/>`,
    ...calibrationBins.map((bin) => dot(bin, most)),
  ];
  return figure(
    'Calibration',
    `Expected error ${estimated(expectedCalibrationError)}. On the line a probability of 0.7 means seven in ten; larger dots stand for more rows, bars for 95% intervals.`,
    chart(
      'Reliability diagram: share of positives against mean probability',
      { label: 'mean probability', ticks: SHARES },
      { label: 'share of positives', ticks: SHARES },
      body.join('\n'),
    ),
  );
}

function dot({ rows, positives, meanProbability }: CalibrationBin, most: number): string {
  const share = ratio(positives, rows);
  if (share === null || meanProbability === null) return '';
  const [low, high] = shareInterval(positives, rows);
  const radius = (3 + 7 * Math.sqrt(rows / most)).toFixed(1);
  const across = x(meanProbability);
  const title = `mean probability ${meanProbability.toFixed(3)}: ${positives} of ${rows} positive (${share.toFixed(3)})`;
  return `<g><title>${title}</title><line class="whisker" x1="${across}" x2="${across}" y1="${y(low)}" y2="${y(high)}"/><circle class="dot" cx="${across}" cy="${y(share)}" r="${radius}"/></g>`;
}

/** The 95 % interval of a share: Wilson 1927, "Probable inference, the law of succession, and statistical inference". */
function shareInterval(part: number, whole: number): [number, number] {
  const z = 1.959964;
  const share = part / whole;
  const middle = (share + z ** 2 / (2 * whole)) / (1 + z ** 2 / whole);
  const half = (z / (1 + z ** 2 / whole)) * Math.sqrt((share * (1 - share)) / whole + z ** 2 / (4 * whole ** 2));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
