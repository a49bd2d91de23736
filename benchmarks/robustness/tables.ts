/** What is printed of the measurements. */
import type { Table } from '../accuracy/report/table.js';
import type { DisguiseFigures } from './disguised-texts.js';
import type { HiddenKindFigures } from './hidden-kinds.js';
import type { LengthFigures } from './long-texts.js';

export function disguiseTable(figures: readonly DisguiseFigures[]): Table {
  return {
    title: 'Disguises',
    headings: ['', 'recall', 'false alarms'],
    rows: figures.map(({ disguise, recall, falseAlarms }) => [disguise, percent(recall), percent(falseAlarms)]),
  };
}

export function lengthTable({ byLabel, byReaders, longTexts, found, hidden, severe }: LengthFigures): Table {
  return {
    title: 'Length',
    headings: ['', 'flagged'],
    rows: [
      [`${byReaders.texts} harmless texts, by label and readers, alone`, percent(byReaders.shortFlagged)],
      [`${longTexts} of these joined`, percent(byReaders.longFlagged)],
      [`${byLabel.texts} texts that are harmless by their label, alone`, percent(byLabel.shortFlagged)],
      [`${longTexts} of these joined`, percent(byLabel.longFlagged)],
      ...Object.entries(found).map(([place, share]) => [`${hidden} with a severe text (${place})`, percent(share)]),
      ...(severe.texts > 0
        ? [[`${severe.texts} texts that readers call severe, alone`, percent(severe.shortFlagged)]]
        : []),
      ...Object.entries(severe.found).map(([place, share]) => [
        `these within harmless ones (${place})`,
        percent(share),
      ]),
    ],
  };
}

export function hiddenTable(figures: readonly HiddenKindFigures[]): Table {
  const lengths = [...(figures[0]?.found.keys() ?? [])];
  const headings = lengths.map((length) => `in ${length}`);
  const shares = (found: ReadonlyMap<number, number>): string[] => lengths.map((length) => percent(found.get(length)));
  return {
    title:
      'Found within harmless texts: probes that are found alone, that score 7 to 10 alone, that our readers call severe',
    headings: ['', 'texts', ...headings, 'toxic alone', ...headings, 'severe', ...headings],
    rows: figures.map(({ kind, toxicAlone, severe, ...foundAlone }) => [
      kind,
      ...[foundAlone, toxicAlone, severe].flatMap(({ texts, found }) => [`${texts}`, ...shares(found)]),
    ]),
  };
}

function percent(share: number | undefined): string {
  if (share === undefined) return 'n/a';
  return `${(share * 100).toFixed(1)} %`;
}
