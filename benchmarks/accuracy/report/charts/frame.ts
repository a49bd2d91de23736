/** The empty chart: a plane with axes, ticks and a grid. Places are shares from 0 to 1 of either axis, counted from below left. */
import { escape } from '../html.js';

const WIDTH = 460;
const HEIGHT = 330;
const MARGIN = { left: 60, right: 14, top: 12, bottom: 42 };

export interface Tick {
  /** 0 to 1. */
  readonly at: number;
  readonly label: string;
}

export interface Axis {
  readonly label: string;
  readonly ticks: readonly Tick[];
}

/** In pixels, one decimal: a file of curves should not be full of digits that nobody sees. */
export const x = (share: number): number => rounded(MARGIN.left + share * (WIDTH - MARGIN.left - MARGIN.right));
export const y = (share: number): number =>
  rounded(HEIGHT - MARGIN.bottom - share * (HEIGHT - MARGIN.top - MARGIN.bottom));

export const SHARES: readonly Tick[] = [0, 0.2, 0.4, 0.6, 0.8, 1].map((at) => ({ at, label: at.toFixed(1) }));

/** @param summary what a reader who does not see the picture is told */
export function chart(summary: string, horizontal: Axis, vertical: Axis, body: string): string {
  const columns = horizontal.ticks.map(
    ({ at, label }) =>
      `<line class="grid" x1="${x(at)}" x2="${x(at)}" y1="${y(0)}" y2="${y(1)}"/><text x="${x(at)}" y="${y(0) + 16}" text-anchor="middle">${escape(label)}</text>`,
  );
  const rows = vertical.ticks.map(
    ({ at, label }) =>
      `<line class="grid" x1="${x(0)}" x2="${x(1)}" y1="${y(at)}" y2="${y(at)}"/><text x="${x(0) - 6}" y="${y(at) + 4}" text-anchor="end">${escape(label)}</text>`,
  );
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escape(summary)}">
${columns.join('')}${rows.join('')}
<line class="axis" x1="${x(0)}" x2="${x(1)}" y1="${y(0)}" y2="${y(0)}"/><line class="axis" x1="${x(0)}" x2="${x(0)}" y1="${y(0)}" y2="${y(1)}"/>
<text x="${x(0.5)}" y="${HEIGHT - 6}" text-anchor="middle">${escape(horizontal.label)}</text>
<text transform="translate(14 ${y(0.5)}) rotate(-90)" text-anchor="middle">${escape(vertical.label)}</text>
${body}
</svg>`;
}

export function figure(title: string, caption: string, picture: string): string {
  return `<figure><h3>${escape(title)}</h3><figcaption>${escape(caption)}</figcaption>
${picture}
</figure>`;
}

export function polyline(points: readonly (readonly [number, number])[]): string {
  return points.map(([across, up]) => `${x(across)},${y(up)}`).join(' ');
}

export interface Callout {
  readonly name: string;
  readonly at: readonly [number, number];
}

/**
 * Names places that may lie close together: the names stand in a list at `first`, and a line leads from each to its place.
 *
 * @param side where the places are, seen from the list: the lines start there
 */
export function callouts(places: readonly Callout[], first: readonly [number, number], side: 'left' | 'right'): string {
  const [gap, anchor] = side === 'left' ? [-5, 'start'] : [5, 'end'];
  const lines = places.map(({ name, at: [across, up] }, index) => {
    const middle = y(first[1]) + index * 18;
    return (
      `<line class="leader" x1="${x(across)}" y1="${y(up)}" x2="${x(first[0]) + gap}" y2="${middle}"/>` +
      `<circle class="marker" cx="${x(across)}" cy="${y(up)}" r="4.5"/>` +
      `<text class="name" x="${x(first[0])}" y="${middle + 4}" text-anchor="${anchor}">${escape(name)}</text>`
    );
  });
  return lines.join('\n');
}

function rounded(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
