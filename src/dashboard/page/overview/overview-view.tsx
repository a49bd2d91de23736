/** What was judged: how much, how much of it failed, how fast, by project. Refreshes itself; where there is nothing, it leads there. */
import { useState } from 'preact/hooks';
import type { Overview } from '../../routes/admin-schemas.js';
import { announce } from '../shared/announce.js';
import { Alert } from '../shared/controls.js';
import { FoldingTable } from '../shared/folding-table.js';
import { change, usePlace } from '../shared/router.js';
import { useAnswer } from '../shared/use-answer.js';
import { LOCAL_ZONE, millisecondsOf, numberOf, shareOf } from '../shared/words.js';
import { FirstVerdict } from './first-verdict.js';
import { LineChart } from './line-chart.js';
import { useRefreshing } from './use-refreshing.js';

type Span = Overview['span'];
const SPANS: readonly (readonly [Span, string])[] = [
  ['24h', '24 hours'],
  ['30d', '30 days'],
];
const REFRESH_MS = 30_000;
const WAITING_REFRESH_MS = 2000;

export function OverviewView() {
  const { query } = usePlace();
  const span = SPANS.find(([each]) => each === query.get('period'))?.[0] ?? '24h';
  const { answer: overview, problem, refresh } = useAnswer<Overview>(`/overview?span=${span}`);
  const [isWaiting, setIsWaiting] = useState(false);
  useRefreshing(refresh, isWaiting ? WAITING_REFRESH_MS : REFRESH_MS);
  const isEmpty = overview?.total.requests === 0;

  return (
    <div class="stack">
      <div class="title">
        <h1>Overview</h1>
        <div class="segmented" role="group" aria-label="Time">
          {SPANS.map(([each, name]) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === span}
              onClick={() => {
                change({ query: { period: each === '24h' ? undefined : each } });
                announce(`Shows ${name}`);
              }}
            >
              {name}
            </button>
          ))}
        </div>
      </div>
      <Alert>{problem}</Alert>
      {overview && (
        <>
          <Tiles {...overview.total} />
          {(isEmpty || isWaiting) && <FirstVerdict total={overview.total} onWaiting={setIsWaiting} />}
          {!isEmpty && <Plots {...overview} />}
          {overview.projects.length > 0 && <Projects projects={overview.projects} />}
        </>
      )}
    </div>
  );
}

function Tiles({ requests, flagged, cacheHits, p50Ms, p95Ms }: Overview['total']) {
  const tiles = [
    ['Requests', numberOf(requests), 'verdicts for API keys'],
    ['Failed', shareOf(flagged, requests), `${numberOf(flagged)} of ${numberOf(requests)}`],
    ['Latency, median', millisecondsOf(p50Ms), `95 % within ${millisecondsOf(p95Ms)}`],
    ['From the cache', shareOf(cacheHits, requests), `${numberOf(cacheHits)} seen before`],
  ] as const;
  return (
    <dl class="tiles">
      {tiles.map(([name, value, hint]) => (
        <div key={name} class="card tile">
          <dt>{name}</dt>
          <dd>{value}</dd>
          <dd class="hint">{hint}</dd>
        </div>
      ))}
    </dl>
  );
}

function Plots({ span, periods }: Overview) {
  const isByDay = span === '30d';
  const axis = { starts: periods.map(({ start }) => start), isByDay };
  const failedShare = periods.map(({ requests, flagged }) => (requests === 0 ? null : (flagged / requests) * 100));
  return (
    <>
      <div class="plots">
        <LineChart
          {...axis}
          title="Requests"
          unit={numberOf}
          leastMaximum={5}
          lines={[
            { name: 'all', values: periods.map(({ requests }) => requests) },
            { name: 'failed', values: periods.map(({ flagged }) => flagged) },
          ]}
        />
        <LineChart
          {...axis}
          title="Share that failed"
          unit={(percent) => `${Number(percent.toFixed(1))} %`}
          leastMaximum={10}
          lines={[{ name: 'failed', values: failedShare }]}
        />
        <LineChart
          {...axis}
          title="Latency"
          unit={millisecondsOf}
          leastMaximum={5}
          lines={[
            { name: '95 % within', values: periods.map(({ p95Ms }) => p95Ms) },
            { name: 'median', values: periods.map(({ p50Ms }) => p50Ms) },
          ]}
        />
      </div>
      <p class="hint">{isByDay ? 'Days of UTC.' : `Hours by the clock of this browser, ${LOCAL_ZONE}.`}</p>
    </>
  );
}

const HEADINGS = ['Project', 'Requests', 'Failed', 'From the cache', 'Median', '95 %'];

function Projects({ projects }: Pick<Overview, 'projects'>) {
  const rows = projects.map(({ project, requests, flagged, cacheHits, p50Ms, p95Ms }) => ({
    key: project ?? '',
    head: project ?? 'Removed keys',
    cells: [
      numberOf(requests),
      shareOf(flagged, requests),
      shareOf(cacheHits, requests),
      millisecondsOf(p50Ms),
      millisecondsOf(p95Ms),
    ],
  }));
  return (
    <section class="card">
      <h2>By project</h2>
      <FoldingTable headings={HEADINGS} rows={rows} />
    </section>
  );
}
