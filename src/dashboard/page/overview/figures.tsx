/** The figures of a time, each beside that of the time before, and their lines. */
import type { Measured, Overview } from '../../routes/overview/overview-schemas.js';
import { LOCAL_ZONE, millisecondsOf, numberOf, shareOf } from '../shared/words.js';
import { LineChart } from './line-chart.js';
import { stepOf } from './steps.js';

/** Fewer say little about a share. */
const LEAST_FOR_SHARE = 20;

export function Figures({ isEmpty, ...overview }: Overview & { readonly isEmpty: boolean }) {
  return (
    <>
      <Tiles {...overview} />
      {!isEmpty && <Plots {...overview} />}
    </>
  );
}

function Tiles({ total, before, series, stepMs }: Overview) {
  const { requests, flagged, refused, cacheHits, p50Ms, p95Ms } = total;
  const was = (words: (before: Measured) => string): string => (before === null ? '' : `before: ${words(before)}`);
  const tiles = [
    ['Requests', numberOf(requests), was((each) => numberOf(each.requests))],
    ['Failed', shareOf(flagged, requests), was((each) => shareOf(each.flagged, each.requests))],
    ['Highest share', ...highest(series, stepMs)],
    ...(refused === null ? [] : [['Refused', numberOf(refused), was((each) => numberOf(each.refused ?? 0))] as const]),
    ...(p95Ms === null
      ? []
      : [['Latency, median', millisecondsOf(p50Ms), `95 % within ${millisecondsOf(p95Ms)}`] as const]),
    ...(cacheHits === null
      ? []
      : [['From the cache', shareOf(cacheHits, requests), `${numberOf(cacheHits)} seen before`] as const]),
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

/** Of those that failed, where there are enough to tell. */
function highest(series: Overview['series'], stepMs: number): [string, string] {
  const enough = series.filter(({ requests }) => requests >= LEAST_FOR_SHARE);
  const share = (point: Measured | undefined): number => (point === undefined ? 0 : point.flagged / point.requests);
  const [most] = enough.toSorted((one, other) => share(other) - share(one));
  if (most === undefined) return ['–', `none has ${LEAST_FOR_SHARE} requests`];
  const { name, startInWords } = stepOf(stepMs, series.length);
  return [shareOf(most.flagged, most.requests), `failed in the ${name} of ${startInWords(most.start)}`];
}

function Plots({ series, stepMs, total, before }: Overview) {
  const axis = { starts: series.map(({ start }) => start), stepMs };
  const percentOf = (usage: { requests: number; flagged: number } | null): number | null =>
    usage === null || usage.requests === 0 ? null : (usage.flagged / usage.requests) * 100;
  const percent = (value: number): string => `${Number(value.toFixed(1))} %`;
  const hasBefore = before !== null && before.requests > 0;
  const behind = (valueOf: (usage: { requests: number; flagged: number } | null) => number | null) =>
    hasBefore ? [{ name: 'before', values: series.map((point) => valueOf(point.before)) }] : [];
  return (
    <>
      <div class="plots">
        <LineChart
          {...axis}
          title="Share that failed"
          unit={percent}
          leastMaximum={10}
          lines={[...behind(percentOf), { name: 'failed', values: series.map(percentOf) }]}
        />
        <LineChart
          {...axis}
          title="Requests"
          unit={numberOf}
          leastMaximum={5}
          lines={[
            ...behind((usage) => usage?.requests ?? null),
            { name: 'requests', values: series.map(({ requests }) => requests) },
          ]}
        />
        {total.refused !== null && (
          <LineChart
            {...axis}
            title="Refused"
            unit={numberOf}
            leastMaximum={5}
            lines={[{ name: 'refused', values: series.map(({ refused }) => refused) }]}
          />
        )}
        {total.p95Ms !== null && (
          <LineChart
            {...axis}
            title="Latency"
            unit={millisecondsOf}
            leastMaximum={5}
            lines={[
              { name: '95 % within', values: series.map(({ p95Ms }) => p95Ms) },
              { name: 'median', values: series.map(({ p50Ms }) => p50Ms) },
            ]}
          />
        )}
      </div>
      <p class="hint">
        {stepOf(stepMs, series.length).isOfUtc ? 'Days of UTC.' : `Times by the clock of this browser, ${LOCAL_ZONE}.`}
        {hasBefore && ' “before” is the time before it, of the same length.'}
      </p>
    </>
  );
}
