/** The three areas of every group side by side, with their intervals. */
import type { Estimate } from '../../metrics/resampling.js';
import type { BinaryFigures, Group } from '../../results.js';
import { worstFirst } from '../group-table.js';
import { escape, shortened } from '../html.js';
import { decimal, estimated } from '../wording.js';
import { figure } from './frame.js';

const AREAS = [
  { area: 'subgroupAuc', name: 'Subgroup' },
  { area: 'bpsnAuc', name: 'BPSN' },
  { area: 'bnspAuc', name: 'BNSP' },
] as const;

const NAME_WIDTH = 190;
const PANEL_WIDTH = 255;
const PANEL_GAP = 44;
const ROW_HEIGHT = 22;
const TOP = 30;
const BOTTOM = 26;
const MOST_GROUPS = 60;

export function groupChart({ groups, rocAuc }: BinaryFigures): string {
  if (groups === null) return '';
  const shown = worstFirst(groups.groups).slice(0, MOST_GROUPS);
  const least = leastOf(shown, rocAuc);
  const left = (panel: number): number => NAME_WIDTH + panel * (PANEL_WIDTH + PANEL_GAP);
  const across = (panel: number, value: number): string =>
    (left(panel) + ((value - least) / (1 - least)) * PANEL_WIDTH).toFixed(1);
  const bottom = TOP + shown.length * ROW_HEIGHT;
  const panels = AREAS.map(({ name }, panel) => {
    const overall = rocAuc === null ? '' : verticalLine('dashed', across(panel, rocAuc.value), bottom);
    const ticks = [least, (least + 1) / 2, 1].map(
      (value) =>
        `${verticalLine('grid', across(panel, value), bottom)}<text x="${across(panel, value)}" y="${bottom + 16}" text-anchor="middle">${value.toFixed(3).replace(/0$/, '')}</text>`,
    );
    return `<text class="strong" x="${left(panel)}" y="16">${name} AUC</text>${ticks.join('')}${overall}`;
  });
  const rows = shown.map((group, row) => {
    const middle = TOP + (row + 0.5) * ROW_HEIGHT;
    const name = `<text class="strong" x="${NAME_WIDTH - 14}" y="${middle + 4}" text-anchor="end"><title>${escape(group.name)}</title>${escape(shortened(group.name, 26))}</text>`;
    const dots = AREAS.map(({ area, name: areaName }, panel) =>
      dot(group[area], { middle, title: `${group.name}, ${areaName} AUC`, place: (value) => across(panel, value) }),
    );
    return `${name}${dots.join('')}`;
  });
  const width = left(AREAS.length) - PANEL_GAP + 20;
  const more =
    groups.groups.length > shown.length ? ` The ${MOST_GROUPS} lowest of ${groups.groups.length} are shown.` : '';
  return figure(
    'Groups',
    'Subgroup: positives and negatives of the group. BPSN: its negatives against the other positives; low where harmless texts about ' +
      'the group are held against it. BNSP: its positives against the other negatives; low where attacks on it are missed. ' +
      `Bars: 95% intervals; dashed: all rows (${decimal(rocAuc?.value ?? null)}).${more}`,
    `<svg viewBox="0 0 ${width} ${bottom + BOTTOM}" role="img" aria-label="Areas under the ROC curve of each group">
${panels.join('\n')}
${rows.join('\n')}
</svg>`,
  );
}

function leastOf(groups: readonly Group[], rocAuc: Estimate | null): number {
  const values = groups.flatMap(({ subgroupAuc, bpsnAuc, bnspAuc }) =>
    [subgroupAuc, bpsnAuc, bnspAuc, rocAuc].flatMap((each) =>
      each === null ? [] : [each.interval?.[0] ?? each.value],
    ),
  );
  return Math.min(0.95, Math.floor(20 * Math.min(...values)) / 20);
}

interface DotPlace {
  readonly middle: number;
  readonly title: string;
  readonly place: (value: number) => string;
}

function dot(estimate: Estimate | null, { middle, title, place }: DotPlace): string {
  if (estimate === null) return '';
  const { value, interval } = estimate;
  const whisker =
    interval === null
      ? ''
      : `<line class="whisker" x1="${place(interval[0])}" x2="${place(interval[1])}" y1="${middle}" y2="${middle}"/>`;
  return `<g><title>${escape(`${title} ${estimated(estimate)}`)}</title>${whisker}<circle class="dot" cx="${place(value)}" cy="${middle}" r="5"/></g>`;
}

function verticalLine(name: string, across: string, bottom: number): string {
  return `<line class="${name}" x1="${across}" x2="${across}" y1="${TOP}" y2="${bottom}"/>`;
}
