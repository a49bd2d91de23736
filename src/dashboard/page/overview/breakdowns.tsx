/** What was judged, by each thing that is told apart. A row leads to itself alone. */
import { DIMENSIONS, type Dimension } from '../../routes/overview/overview-names.js';
import type { Overview, OverviewRow } from '../../routes/overview/overview-schemas.js';
import { FoldingTable } from '../shared/folding-table.js';
import { labelOf, numberOf, shareOf } from '../shared/words.js';
import { valueInWords, withChange } from './selection.js';

interface BreakdownsProps extends Pick<Overview, 'breakdowns' | 'refusals'> {
  readonly query: URLSearchParams;
}

const TITLES: Readonly<Record<Dimension, string>> = {
  project: 'Project',
  key: 'Key',
  door: 'Door',
  language: 'Language',
  category: 'Category',
  band: 'Score band',
};

export function Breakdowns({ breakdowns, refusals, query }: BreakdownsProps) {
  return (
    <div class="plots">
      {DIMENSIONS.map((dimension) => (
        <Breakdown key={dimension} dimension={dimension} rows={breakdowns[dimension]} query={query} />
      ))}
      {refusals.length > 0 && (
        <section class="card" aria-labelledby="refusals-title">
          <h2 id="refusals-title">Refused</h2>
          <FoldingTable
            headings={['Reason', 'Status', 'Requests']}
            rows={refusals.map(({ code, status, requests }) => ({
              key: code,
              head: labelOf(code),
              cells: [status, numberOf(requests)],
            }))}
          />
        </section>
      )}
    </div>
  );
}

interface BreakdownProps {
  readonly dimension: Dimension;
  readonly rows: readonly OverviewRow[];
  readonly query: URLSearchParams;
}

function Breakdown({ dimension, rows, query }: BreakdownProps) {
  const [first] = rows;
  if (first === undefined) return null;
  const hasRefusals = first.refused !== null;
  const title = TITLES[dimension];
  return (
    <section class="card" aria-labelledby={`by-${dimension}`}>
      <h2 id={`by-${dimension}`}>By {title.toLowerCase()}</h2>
      <FoldingTable
        class="breakdown"
        headings={[title, 'Requests', 'Failed', ...(hasRefusals ? ['Refused'] : [])]}
        rows={rows.map(({ value, name, requests, flagged, refused }) => {
          const words = valueInWords(dimension, value, name);
          return {
            key: value ?? '',
            head: value === null ? words : <a href={withChange(query, dimension, value)}>{words}</a>,
            cells: [numberOf(requests), shareOf(flagged, requests), ...(hasRefusals ? [numberOf(refused ?? 0)] : [])],
          };
        })}
      />
    </section>
  );
}
