/** What was judged and refused: how much, how much of it failed, how fast, and of what. Refreshes itself; where there is nothing, it leads there. */
import { useState } from 'preact/hooks';
import { PERIODS, type Period } from '../../routes/overview/overview-names.js';
import type { Overview } from '../../routes/overview/overview-schemas.js';
import { announce } from '../shared/announce.js';
import { Alert, Empty } from '../shared/controls.js';
import { go, usePlace } from '../shared/router.js';
import { useAnswer } from '../shared/use-answer.js';
import { Breakdowns } from './breakdowns.js';
import { Figures } from './figures.js';
import { FirstVerdict } from './first-verdict.js';
import { selectionIn, valueInWords, withChange, type Selection } from './selection.js';
import { useRefreshing } from './use-refreshing.js';

const PERIOD_WORDS: Readonly<Record<Period, string>> = {
  '1h': '1 hour',
  '6h': '6 hours',
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
};
const REFRESH_MS = 30_000;
const WAITING_REFRESH_MS = 2000;

export function OverviewView() {
  const { query } = usePlace();
  const selection = selectionIn(query);
  const { period, filters } = selection;
  const { answer: overview, problem, refresh } = useAnswer<Overview>(`/overview?${selection.query}`);
  const [isWaiting, setIsWaiting] = useState(false);
  useRefreshing(refresh, isWaiting ? WAITING_REFRESH_MS : REFRESH_MS);
  const isEmpty = overview?.total.requests === 0;

  return (
    <div class="stack">
      <div class="title">
        <h1>Overview</h1>
        <div class="segmented" role="group" aria-label="Time">
          {PERIODS.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === period}
              onClick={() => {
                go(withChange(query, 'period', each));
                announce(`Shows ${PERIOD_WORDS[each]}`);
              }}
            >
              {PERIOD_WORDS[each]}
            </button>
          ))}
        </div>
      </div>
      <Filters filters={filters} overview={overview} query={query} />
      <Alert>{problem}</Alert>
      {overview && (
        <>
          {(!isEmpty || filters.length === 0) && <Figures {...overview} isEmpty={isEmpty} />}
          {(isWaiting || (isEmpty && filters.length === 0)) && (
            <FirstVerdict total={overview.total} onWaiting={setIsWaiting} />
          )}
          {isEmpty && filters.length > 0 && (
            <Empty title="Nothing was judged of this">
              <p>Choose a longer time, or take a filter away.</p>
            </Empty>
          )}
          <Breakdowns {...overview} query={query} />
          <div class="actions">
            <small>Texts are never kept for this. The playground is not counted.</small>
            <a class="button" href={`/dashboard/api/overview.csv?${selection.query}`} download>
              Download as CSV
            </a>
          </div>
        </>
      )}
    </div>
  );
}

interface FiltersProps extends Pick<Selection, 'filters'> {
  readonly overview: Overview | undefined;
  readonly query: URLSearchParams;
}

function Filters({ filters, overview, query }: FiltersProps) {
  if (filters.length === 0) return null;
  return (
    <ul class="examples filters" aria-label="Filters">
      {filters.map(([dimension, value]) => {
        const { name = '' } = overview?.breakdowns[dimension].find((row) => row.value === value) ?? {};
        const words = `${dimension}: ${valueInWords(dimension, value, name)}`;
        return (
          <li key={dimension}>
            <a class="button chip" href={withChange(query, dimension, undefined)} aria-label={`Take away ${words}`}>
              {words} <span aria-hidden="true">×</span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}
