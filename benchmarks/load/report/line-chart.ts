/** Lines over two axes with a legend. */
import { chart, figure, polyline } from '../../accuracy/report/charts/frame.js';
import { escape } from '../../accuracy/report/html.js';
import { createScale, type ScaleKind } from './scale.js';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

export interface Axis {
  readonly label: string;
  readonly scale: ScaleKind;
}

export interface LineChart {
  readonly title: string;
  readonly caption: string;
  readonly horizontal: Axis;
  readonly vertical: Axis;
  /** At most as many as there are colours. Several are named in a legend. */
  readonly series: readonly Series[];
}

/** Colours by day and by night, in the order of the series. */
const COLOURS = [
  ['#4a3aa7', '#a79cf5'],
  ['#c8501b', '#f0905c'],
  ['#1a7f4b', '#4fc08a'],
  ['#2a6fcb', '#6ba6f5'],
] as const;

export const LINE_STYLE = `
:root { ${COLOURS.map(([day], index) => `--series-${index}: ${day};`).join(' ')} }
@media (prefers-color-scheme: dark) { :root { ${COLOURS.map(([, night], index) => `--series-${index}: ${night};`).join(' ')} } }
svg .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
${COLOURS.map((_, index) => `svg .line.series-${index} { stroke: var(--series-${index}); }`).join('\n')}
ul.legend { list-style: none; padding: 0; margin: .5rem 0 0; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .85rem; }
ul.legend svg { display: inline-block; width: 24px; height: 8px; margin-right: .4rem; vertical-align: middle; }`;

export function lineChart({ title, caption, horizontal, vertical, series }: LineChart): string {
  const points = series.flatMap((one) => one.points);
  const across = createScale(
    horizontal.scale,
    points.map((point) => point.x),
  );
  const up = createScale(
    vertical.scale,
    points.map((point) => point.y),
  );
  const lines = series.map((one, index) => {
    const places = one.points.map((point) => [across.shareOf(point.x), up.shareOf(point.y)] as const);
    return `<polyline class="line series-${index}" points="${polyline(places)}"/>`;
  });
  const picture = chart(
    title,
    { label: horizontal.label, ticks: across.ticks },
    { label: vertical.label, ticks: up.ticks },
    lines.join('\n'),
  );
  return figure(title, caption, picture + legend(series));
}

function legend(series: readonly Series[]): string {
  if (series.length < 2) return '';
  const entries = series.map(
    ({ name }, index) =>
      `<li><svg viewBox="0 0 24 8"><line class="line series-${index}" x1="0" x2="24" y1="4" y2="4"/></svg>${escape(name)}</li>`,
  );
  return `\n<ul class="legend">${entries.join('')}</ul>`;
}
