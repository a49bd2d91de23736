/** Bars from left to right, one below the other, each with its name and value. */
import { figure } from '../../accuracy/report/charts/frame.js';
import { escape } from '../../accuracy/report/html.js';

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** Of the subject that the page is about. */
  readonly main: boolean;
}

const WIDTH = 460;
const NAME_WIDTH = 190;
const VALUE_WIDTH = 60;
const ROW_HEIGHT = 26;
const BAR_HEIGHT = 16;

export function barChart(title: string, caption: string, bars: readonly Bar[]): string {
  const greatest = Math.max(...bars.map(({ value }) => value));
  const rows = bars.map(({ name, value, main }, index) => {
    const middle = (index + 0.5) * ROW_HEIGHT;
    const width = greatest > 0 ? ((WIDTH - NAME_WIDTH - VALUE_WIDTH) * value) / greatest : 0;
    return [
      `<text class="strong" x="${NAME_WIDTH - 8}" y="${middle + 4}" text-anchor="end">${escape(name)}</text>`,
      `<rect class="${main ? 'main' : 'other'}" x="${NAME_WIDTH}" y="${middle - BAR_HEIGHT / 2}" width="${width.toFixed(1)}" height="${BAR_HEIGHT}" rx="1.5"/>`,
      `<text x="${(NAME_WIDTH + width + 6).toFixed(1)}" y="${middle + 4}">${value.toFixed(0)}</text>`,
    ].join('');
  });
  const picture = `<svg viewBox="0 0 ${WIDTH} ${bars.length * ROW_HEIGHT}" role="img" aria-label="${escape(title)}">
${rows.join('\n')}
</svg>`;
  return figure(title, caption, picture);
}
