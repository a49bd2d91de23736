/** What is printed of the measurements. */
import type { Table } from '../accuracy/report/result-tables.js';
import type { DisguiseFigures } from './disguised-texts.js';
import type { HiddenKindFigures } from './hidden-kinds.js';
import type { LengthFigures } from './long-texts.js';
import type { Found, SurroundingFigures } from './surroundings.js';

export function disguiseTable(figures: readonly DisguiseFigures[]): Table {
  return {
    title: 'Disguises',
    headings: ['', 'recall', 'false alarms'],
    rows: figures.map(({ disguise, recall, falseAlarms }) => [disguise, percent(recall), percent(falseAlarms)]),
  };
}

export function lengthTable({ byLabel, byReaders, longTexts, found, hidden, vile }: LengthFigures): Table {
  return {
    title: 'Length',
    headings: ['', 'flagged'],
    rows: [
      [`${byReaders.texts} harmless texts, by label and readers, alone`, percent(byReaders.shortFlagged)],
      [`${longTexts} of these joined`, percent(byReaders.longFlagged)],
      [`${byLabel.texts} texts that are harmless by their label, alone`, percent(byLabel.shortFlagged)],
      [`${longTexts} of these joined`, percent(byLabel.longFlagged)],
      ...Object.entries(found).map(([place, share]) => [`${hidden} with a vile text (${place})`, percent(share)]),
      ...(vile.texts > 0 ? [[`${vile.texts} texts that readers call vile, alone`, percent(vile.shortFlagged)]] : []),
      ...Object.entries(vile.found).map(([place, share]) => [`these within harmless ones (${place})`, percent(share)]),
    ],
  };
}

export function hiddenTable(figures: readonly HiddenKindFigures[]): Table {
  const lengths = [...(figures[0]?.found.keys() ?? [])];
  const headings = lengths.map((length) => `in ${length}`);
  const shares = (found: ReadonlyMap<number, number>): string[] => lengths.map((length) => percent(found.get(length)));
  return {
    title:
      'Found within harmless texts: probes that are found alone, that score 7 to 10 alone, that our readers call vile',
    headings: ['', 'texts', ...headings, 'toxic alone', ...headings, 'vile', ...headings],
    rows: figures.map(({ kind, toxicAlone, vile, ...foundAlone }) => [
      kind,
      ...[foundAlone, toxicAlone, vile].flatMap(({ texts, found }) => [`${texts}`, ...shares(found)]),
    ]),
  };
}

export function surroundingsTable(figures: readonly SurroundingFigures[]): Table {
  const share = ({ hidden, share: found }: Found): string => `${percent(found)} of ${hidden}`;
  return {
    title: 'Within 9,900 characters of other kinds',
    headings: ['', 'harmless alone', 'harmless joined', 'vile texts found', 'vile sentences found'],
    rows: figures.map(({ kind, shortFlagged, longFlagged, vileTexts, vileSentences }) => [
      kind,
      percent(shortFlagged),
      percent(longFlagged),
      share(vileTexts),
      share(vileSentences),
    ]),
  };
}

function percent(share: number | undefined): string {
  if (share === undefined) return 'n/a';
  return `${(share * 100).toFixed(1)} %`;
}
