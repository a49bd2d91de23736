/** How right the verdicts on probes are: by kind, in all, and as a ranking. */
import type { Judgement } from '../accuracy/judges/judge.js';
import { averagePrecision, rocAuc, type Example } from '../accuracy/metrics/ranking.js';
import type { Table } from '../accuracy/report/table.js';
import { isHarmful, type Probe } from './probe.js';

export interface JudgedProbe {
  readonly probe: Probe;
  readonly judgement: Judgement;
}

export interface Count {
  readonly texts: number;
  readonly right: number;
}

export interface ProbeFigures {
  readonly all: Count;
  /** Texts to block, and texts to let through. */
  readonly harmful: Count;
  readonly harmless: Count;
  readonly kinds: Readonly<Record<string, Count>>;
  /** Null where all texts are of one class. */
  readonly rocAuc: number | null;
  readonly averagePrecision: number | null;
  /** ROC-AUC among the texts of each group that has both classes, lowest first. */
  readonly groups: Readonly<Record<string, number>>;
}

/** What the harm of a text is ranked by: the likeliest label that is harm. Friendly swearing (obscene) is not, nor is spam. */
const HARMS = ['toxicity', 'severe_toxicity', 'threat', 'insult', 'identity_attack', 'sexual_explicit', 'self_harm'];

export function figuresOf(judged: readonly JudgedProbe[]): ProbeFigures {
  const kinds = groupedBy(judged, ({ probe }) => probe.kind ?? (isHarmful(probe) ? 'harmful' : 'harmless'));
  const examples = judged.map(exampleOf);
  return {
    all: countOf(judged),
    harmful: countOf(judged.filter(({ probe }) => isHarmful(probe))),
    harmless: countOf(judged.filter(({ probe }) => !isHarmful(probe))),
    kinds: Object.fromEntries([...kinds].map(([kind, members]) => [kind, countOf(members)])),
    rocAuc: rocAuc(examples),
    averagePrecision: hasBothClasses(examples) ? averagePrecision(examples) : null,
    groups: rocAucByGroup(judged),
  };
}

/** Of spam the category decides, since a harmful text may fail to pass for other reasons. */
function isRight({ probe, judgement }: JudgedProbe): boolean {
  const flagged = probe.spam === undefined ? !judgement.passed : judgement.categories.includes('spam');
  return flagged === isHarmful(probe);
}

function countOf(judged: readonly JudgedProbe[]): Count {
  return { texts: judged.length, right: judged.filter(isRight).length };
}

function exampleOf({ probe, judgement: { labels } }: JudgedProbe): Example {
  const names = probe.spam === undefined ? HARMS : ['spam'];
  return { probability: Math.max(...names.map((name) => labels[name] ?? 0)), positive: isHarmful(probe) };
}

function rocAucByGroup(judged: readonly JudgedProbe[]): ProbeFigures['groups'] {
  const areas = [...groupedBy(judged, ({ probe }) => probe.group)].flatMap(([group, members]) => {
    const area = rocAuc(members.map(exampleOf));
    return area === null ? [] : [[group, area] as const];
  });
  return Object.fromEntries(areas.sort(([, one], [, other]) => one - other));
}

/** In the order of their first member; what has no name is left out. */
function groupedBy<Item>(items: readonly Item[], nameOf: (item: Item) => string | undefined): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const name = nameOf(item);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return groups;
}

function hasBothClasses(examples: readonly Example[]): boolean {
  return examples.some(({ positive }) => positive) && examples.some(({ positive }) => !positive);
}

export function kindTable([name, { kinds }]: readonly [string, ProbeFigures]): Table {
  return {
    title: name,
    headings: ['', 'texts', 'right'],
    rows: Object.entries(kinds).map(([kind, count]) => [kind, String(count.texts), share(count)]),
  };
}

export function summaryTable(figures: ReadonlyMap<string, ProbeFigures>): Table {
  return {
    title: 'All',
    headings: ['', 'texts', 'right', 'blocked', 'let through', 'ROC-AUC', 'AP', 'worst group'],
    rows: [...figures].map(([name, { all, harmful, harmless, groups, ...ranking }]) => [
      name,
      String(all.texts),
      share(all),
      share(harmful),
      share(harmless),
      decimals(ranking.rocAuc),
      decimals(ranking.averagePrecision),
      ...Object.entries(groups)
        .slice(0, 1)
        .map(([group, area]) => `${group} ${decimals(area)}`),
    ]),
    note: 'blocked: of the texts to block, those that are; let through: of the harmless texts, those that pass',
  };
}

function share({ texts, right }: Count): string {
  return texts === 0 ? '' : `${((right / texts) * 100).toFixed(1)} %`;
}

function decimals(value: number | null): string {
  return value === null ? '' : value.toFixed(3);
}
