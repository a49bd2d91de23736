/** Reads the text format of Prometheus: which metrics a page has, with which labels and values. */

/** Label values by label name, by metric; buckets, sums and counts of histograms are metrics of their own. */
export type Exposed = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

export function parseExposition(page: string): Exposed {
  const exposed = new Map<string, Map<string, Set<string>>>();
  for (const line of page.split('\n')) {
    const [, metric, labels = ''] = /^(\w+)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    if (metric === undefined) continue;
    const known = exposed.get(metric) ?? new Map<string, Set<string>>();
    exposed.set(metric, known);
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
      known.set(label, (known.get(label) ?? new Set()).add(value));
    }
  }
  return exposed;
}
