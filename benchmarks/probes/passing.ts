/** What each preset sets, and which share of the probes of each kind passes under it. Knows nothing of how a preset is laid over the settings. */
import { LABEL_CATEGORIES, PRESET_NAMES, type PresetName, type VerdictPolicy } from 'parapet/engine';
import type { Table } from '../accuracy/report/table.js';
import { isHarmful, type Probe } from './probe.js';

export interface ProbeUnderPresets {
  readonly probe: Probe;
  readonly passed: Readonly<Record<PresetName, boolean>>;
}

export interface Passing {
  readonly texts: number;
  readonly passed: Readonly<Record<PresetName, number>>;
}

/** Absent where there is no such text. */
export interface PassingByHarm {
  readonly harmful?: Passing;
  readonly harmless?: Passing;
}

export interface PassingFigures extends PassingByHarm {
  readonly kinds: Readonly<Record<string, PassingByHarm>>;
}

export function passingOf(probes: readonly ProbeUnderPresets[]): PassingFigures {
  const kinds = new Set(probes.flatMap(({ probe: { kind } }) => kind ?? []));
  return {
    ...byHarm(probes),
    kinds: Object.fromEntries(
      [...kinds].map((kind) => [kind, byHarm(probes.filter(({ probe }) => probe.kind === kind))]),
    ),
  };
}

function byHarm(probes: readonly ProbeUnderPresets[]): PassingByHarm {
  const [harmful, harmless] = [true, false].map((harm) => probes.filter(({ probe }) => isHarmful(probe) === harm));
  return {
    ...(harmful?.length && { harmful: countOf(harmful) }),
    ...(harmless?.length && { harmless: countOf(harmless) }),
  };
}

function countOf(probes: readonly ProbeUnderPresets[]): Passing {
  const passed = perPreset((preset) => probes.filter((each) => each.passed[preset]).length);
  return { texts: probes.length, passed };
}

export function perPreset<Value>(valueOf: (preset: PresetName) => Value): Record<PresetName, Value> {
  return Object.fromEntries(PRESET_NAMES.map((preset) => [preset, valueOf(preset)])) as Record<PresetName, Value>;
}

const HEADINGS = ['', 'texts', ...PRESET_NAMES];

export function passingTable([name, { kinds }]: readonly [string, PassingFigures]): Table {
  return { title: name, headings: HEADINGS, rows: Object.entries(kinds).flatMap(rowsOf) };
}

export function passingSummary(figures: ReadonlyMap<string, PassingFigures>): Table {
  return {
    title: 'All',
    headings: HEADINGS,
    rows: [...figures].flatMap(rowsOf),
    note: 'The share of the texts that passes under each preset.',
  };
}

/** What each preset makes of texts: its score, its categories, and what is unreadable. */
export function presetRows(presets: Readonly<Record<PresetName, VerdictPolicy>>): string[][] {
  const row = (name: string, cellOf: (policy: VerdictPolicy) => string): string[] => [
    name,
    '',
    ...PRESET_NAMES.map((preset) => cellOf(presets[preset])),
  ];
  return [
    row('highest score that passes', ({ passMaxScore }) => String(passMaxScore)),
    ...LABEL_CATEGORIES.map((category) =>
      row(`\`${category}\``, ({ categories: { [category]: rule } }) =>
        rule.threshold === undefined ? rule.action : `${rule.action} from ${rule.threshold}`,
      ),
    ),
    row('`unreadable`', ({ unreadable }) => unreadable),
  ];
}

/** Of this file the kinds are told too: they are what communities differ on. */
const TOLD_BY_KIND = 'hate_functional';

/** The table of the page on policies. */
export function passingMarkdown(
  figures: ReadonlyMap<string, PassingFigures>,
  presets: Readonly<Record<PresetName, VerdictPolicy>>,
): string {
  const shares = [...figures].flatMap(([name, { kinds, ...all }]) => [
    ...rowsOf([name, all]),
    ...(name === TOLD_BY_KIND ? Object.entries(kinds) : []).flatMap(([kind, counts]) => rowsOf([`– ${kind}`, counts])),
  ]);
  const [head, rule] = [HEADINGS, HEADINGS.map((_, column) => (column === 0 ? '---' : '--:'))];
  return [head, rule, ...presetRows(presets), ...shares].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function rowsOf([name, { harmful, harmless }]: readonly [string, PassingByHarm]): string[][] {
  return [
    ...(harmful ? [[`${name}, harmful`, ...cellsOf(harmful)]] : []),
    ...(harmless ? [[`${name}, harmless`, ...cellsOf(harmless)]] : []),
  ];
}

function cellsOf({ texts, passed }: Passing): string[] {
  return [String(texts), ...PRESET_NAMES.map((preset) => `${((passed[preset] / texts) * 100).toFixed(1)} %`)];
}
