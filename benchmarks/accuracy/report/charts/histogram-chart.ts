/** Where the probabilities of positives and negatives lie: positives upwards, negatives downwards. */
import type { Curves, HistogramBin } from '../../evaluation/curves.js';
import type { BinaryFigures } from '../../results.js';
import { percent } from '../wording.js';
import { chart, figure, SHARES, x, y, type Tick } from './frame.js';

/** Heights are square roots of shares: most rows lie in the outermost bins, and the others should still be seen. */
const heightOf = (share: number): number => Math.sqrt(share) / 2;

const SHOWN_SHARES = [0.01, 0.1, 0.25, 0.5, 1];
const TICKS: readonly Tick[] = [
  ...SHOWN_SHARES.map((share) => ({ at: 0.5 + heightOf(share), label: `${100 * share}%` })),
  ...SHOWN_SHARES.map((share) => ({ at: 0.5 - heightOf(share), label: `${100 * share}%` })),
];

export function histogramChart({ positives, negatives }: BinaryFigures, { histogram }: Curves): string {
  const width = 1 / histogram.length;
  const bars = histogram.flatMap((bin, index) => [
    bar(bin, 'positives', { from: index * width, width, all: positives }),
    bar(bin, 'negatives', { from: index * width, width, all: negatives }),
  ]);
  const body = [
    ...bars,
    `<line class="axis" x1="${x(0)}" x2="${x(1)}" y1="${y(0.5)}" y2="${y(0.5)}"/>`,
    `<text class="strong" x="${x(0.5)}" y="${y(0.94)}" text-anchor="middle">${positives} positives</text>`,
    `<text class="strong" x="${x(0.5)}" y="${y(0.03)}" text-anchor="middle">${negatives} negatives</text>`,
  ];
  return figure(
    'Probabilities by class',
    'The less the two overlap from left to right, the better they are told apart. Square-root scale.',
    chart(
      'Histogram of the probabilities of positives and negatives',
      { label: 'probability', ticks: SHARES },
      { label: 'share of the class', ticks: TICKS },
      body.join('\n'),
    ),
  );
}

interface Bar {
  readonly from: number;
  readonly width: number;
  /** Rows of the class. */
  readonly all: number;
}

function bar(bin: HistogramBin, side: keyof HistogramBin, { from, width, all }: Bar): string {
  if (bin[side] === 0) return '';
  const share = bin[side] / all;
  const up = side === 'positives';
  const [top, bottom] = up ? [y(0.5 + heightOf(share)), y(0.5)] : [y(0.5), y(0.5 - heightOf(share))];
  const title = `${from.toFixed(2)} to ${(from + width).toFixed(2)}: ${bin[side]} ${side}, ${percent(share)}`;
  return `<rect class="${up ? 'positive' : 'negative'}" x="${x(from) + 1}" width="${(x(from + width) - x(from) - 2).toFixed(1)}" y="${top}" height="${(bottom - top).toFixed(1)}" rx="1.5"><title>${title}</title></rect>`;
}
