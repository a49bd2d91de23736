/** Simple columns over time, drawn with boxes so that they fit any width. Each says its figures on hover. */
import { h, withProperty } from './dom.js';

export interface Column {
  readonly label: string;
  /** What is shown of it in words. */
  readonly figures: string;
  readonly whole: number;
  /** The part of it that is drawn in the strong colour; at most the whole. */
  readonly part: number;
}

export interface PlotOptions {
  readonly title: string;
  /** Of whole and part. */
  readonly legend: readonly [string, string];
  readonly columns: readonly Column[];
  readonly unit: (value: number) => string;
}

export function plot({ title, legend: [whole, part], columns, unit }: PlotOptions): HTMLElement {
  const highest = roundedUp(Math.max(...columns.map((column) => column.whole)));
  const first = columns.at(0)?.label ?? '';
  const middle = columns.at(columns.length / 2)?.label ?? '';
  const last = columns.at(-1)?.label ?? '';
  return h(
    'figure',
    { class: 'card plot' },
    h(
      'figcaption',
      {},
      h('h2', {}, title),
      h('span', { class: 'legend' }, h('i', { class: 'whole' }), whole, h('i', { class: 'part' }), part),
    ),
    h('span', { class: 'scale', 'aria-hidden': 'true' }, unit(highest)),
    h(
      'ol',
      { class: 'columns' },
      ...columns.map(({ label, figures, whole: height, part: strong }) =>
        withProperty(
          withProperty(
            h(
              'li',
              { title: `${label}: ${figures}` },
              h('i', { class: 'whole' }),
              h('i', { class: 'part' }),
              h('span', { class: 'unseen' }, `${label}: ${figures}`),
            ),
            '--whole',
            height / highest,
          ),
          '--part',
          strong / highest,
        ),
      ),
    ),
    h(
      'div',
      { class: 'axis', 'aria-hidden': 'true' },
      h('span', {}, first),
      h('span', {}, middle),
      h('span', {}, last),
    ),
  );
}

/** The next of 1, 2, 5, 10, 20, 50 and so on. */
function roundedUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value) ?? value;
}
