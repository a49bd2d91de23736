/** Promises of what an operator watches: the dashboard and the alert rules fit the metrics of the service as it runs. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseExposition, type Exposed } from '../../support/operations/exposition.js';
import { coralSignature, DOORS, SIGNING_SECRET } from '../../support/guardrails/guardrail-doors.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import { namesIn } from '../../support/operations/promql.js';
import { startServiceForAll } from '../../support/service.js';
import { TOXIC } from '../../support/texts.js';

const read = (name: string): string =>
  readFileSync(new URL(`../../../docs/operations/${name}`, import.meta.url), 'utf8');

const rulesSchema = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string(),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[mh]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
});

const dashboardSchema = z.object({
  title: z.string(),
  templating: z.object({
    list: z.array(z.object({ name: z.string(), type: z.string(), definition: z.string().optional() })),
  }),
  panels: z.array(
    z.object({
      id: z.int(),
      title: z.string(),
      type: z.string(),
      gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
      targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).default([]),
    }),
  ),
});

const rules = rulesSchema.parse(parse(read('alerts.yaml'))).groups.flatMap((group) => group.rules);
const dashboard = dashboardSchema.parse(JSON.parse(read('grafana-dashboard.json')));

/** What Prometheus itself adds to every series. */
const ADDED_LABELS = ['job', 'instance'];

/** What Grafana would put in for its variables. */
function withVariables(query: string): string {
  return query.replaceAll('$__rate_interval', '5m').replaceAll(/\$(job|instance)/g, '.*');
}

/** Every way to a verdict, with a body. */
const JUDGING = {
  '/v1/analyze': { content: TOXIC },
  '/v1/analyze/batch': { items: [{ content: TOXIC }] },
  '/v1/moderations': { input: TOXIC },
  '/v1alpha1/comments:analyze': { comment: { text: TOXIC }, requestedAttributes: { TOXICITY: {} } },
  ...Object.fromEntries(Object.values(DOORS).map((door) => [door.url.replace('KEY_ID', ':keyId'), door.bodyOf(TOXIC)])),
};

const openApi = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

let described: z.output<typeof openApi>;
let exposed: Exposed;

startServiceForAll(
  async (service) => {
    await openFileStore(service.keysFile).keys.setSigningSecret(service.keyId, SIGNING_SECRET);
    for (const [route, body] of Object.entries(JUDGING)) {
      const response = await fetch(service.address + route.replace(':keyId', service.keyId), {
        method: 'POST',
        headers: {
          'X-API-Key': service.key,
          Authorization: `Bearer ${service.key}`,
          'X-Coral-Signature': coralSignature(JSON.stringify(body)),
          'Content-Type': 'application/json',
        },
        body: JSON.stringify(body),
      });
      expect(response.status, route).toBe(200);
    }
    described = openApi.parse(await (await fetch(`${service.address}/openapi.json`)).json());
    exposed = parseExposition(await (await fetch(`${service.address}/metrics`)).text());
  },
  { METRICS: 'public' },
);

/** Fails where the expression names something that no series of the service has. */
function expectOnlyWhatExists(expression: string): void {
  const { selectors, groupings } = namesIn(expression);
  const labels = new Set(ADDED_LABELS);
  for (const { metric, matchers } of selectors) {
    if (metric === 'up') continue;
    expect([...exposed.keys()], expression).toContain(metric);
    const known = exposed.get(metric) ?? new Map<string, ReadonlySet<string>>();
    for (const label of known.keys()) labels.add(label);
    for (const { label, values } of matchers) {
      if (ADDED_LABELS.includes(label)) continue;
      expect([...(known.get(label) ?? [])], `${label} in ${expression}`).toEqual(expect.arrayContaining([...values]));
    }
  }
  expect(selectors).not.toEqual([]);
  expect([...labels], expression).toEqual(expect.arrayContaining([...groupings]));
}

/** Routes that the selectors of all these expressions match. */
function routesIn(...expressions: string[]): string[] {
  const matchers = expressions
    .flatMap((expression) => namesIn(expression).selectors)
    .flatMap(({ matchers }) => matchers);
  const routes = matchers.filter(({ label }) => label === 'route').flatMap(({ values }) => values);
  return [...new Set(routes)].sort();
}

it('every way to a verdict that the service describes is among those that follow', () => {
  const posts = Object.keys(described.paths).filter((path) => described.paths[path]?.post !== undefined);
  const others = posts.filter((path) => !path.startsWith('/dashboard/') && !/:suggestscore$|\/appeals$/.test(path));
  expect(others.map((path) => path.replace('{keyId}', ':keyId')).sort()).toEqual(Object.keys(JUDGING).sort());
});

describe('docs/operations/alerts.yaml', () => {
  it('sees slow answers on every way to a verdict', () => {
    const slow = rules.find(({ alert }) => alert === 'ParapetSlow');
    expect(routesIn(slow?.expr ?? '')).toEqual(Object.keys(JUDGING).sort());
  });

  it.each(rules)('$alert names only metrics, labels and values that the service has', ({ expr }) => {
    expectOnlyWhatExists(expr);
  });

  it('fills its summaries with labels that its expressions leave', () => {
    for (const { alert, expr, annotations } of rules) {
      const { groupings } = namesIn(expr);
      // Without a grouping, a series keeps the labels that Prometheus adds.
      const left = groupings.length === 0 ? ADDED_LABELS : groupings;
      for (const [, label = ''] of annotations.summary.matchAll(/\$labels\.(\w+)/g))
        expect(left, alert).toContain(label);
    }
  });

  it('has a section in alerts.md for each alert that says what to do, and for no other', () => {
    const page = read('alerts.md');
    expect([...page.matchAll(/^## (\w+)$/gm)].map((match) => match[1])).toEqual(rules.map(({ alert }) => alert));
    expect(rules.map(({ annotations }) => annotations.runbook)).toEqual(
      rules.map(({ alert }) => `docs/operations/alerts.md#${alert.toLowerCase()}`),
    );
  });
});

describe('docs/operations/grafana-dashboard.json', () => {
  const targets = dashboard.panels.flatMap((panel) =>
    panel.targets.map((target) => ({ panel: panel.title, ...target })),
  );

  it.each(targets)(
    '$panel: $legendFormat names only metrics, labels and values that the service has',
    ({ expr, legendFormat }) => {
      const query = withVariables(expr);
      expect(query).not.toContain('$');
      expectOnlyWhatExists(query);
      const { selectors, groupings } = namesIn(query);
      const own = selectors.flatMap(({ metric }) => [...(exposed.get(metric)?.keys() ?? [])]);
      const left = groupings.length === 0 ? [...ADDED_LABELS, ...own] : groupings;
      for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(left).toContain(label);
    },
  );

  it.each(['Requests by route and status', 'Latency of verdicts'])('%s shows every way to a verdict', (title) => {
    const shown = targets.filter(({ panel }) => panel === title);
    expect(shown).not.toEqual([]);
    for (const { expr, legendFormat } of shown) {
      expect(routesIn(withVariables(expr))).toEqual(Object.keys(JUDGING).sort());
      expect(legendFormat).toContain('{{route}}');
    }
  });

  it('offers choices of what the service has', () => {
    const definitions = dashboard.templating.list.flatMap(({ definition }) => definition ?? []);
    expect(definitions).toHaveLength(2);
    for (const definition of definitions) {
      const [, selector = '', label = ''] = /^label_values\((.+), (\w+)\)$/.exec(definition) ?? [];
      expectOnlyWhatExists(withVariables(selector));
      expect(ADDED_LABELS).toContain(label);
    }
  });
});

describe('GET /metrics', () => {
  it('has histograms of requests, of each stage and of inference, fine enough for answers within 2 to 20 ms', () => {
    const borders = (metric: string): number[] => [...(exposed.get(metric)?.get('le') ?? [])].map(Number);
    for (const metric of ['parapet_http_request_duration_seconds_bucket', 'parapet_stage_duration_seconds_bucket']) {
      const fine = borders(metric).filter((border) => border >= 0.002 && border <= 0.02);
      expect(fine.length, metric).toBeGreaterThanOrEqual(6);
    }
    expect(exposed.get('parapet_stage_duration_seconds_count')?.get('stage')).toEqual(
      new Set(['queue', 'tokenize', 'infer', 'rest']),
    );
  });
});
