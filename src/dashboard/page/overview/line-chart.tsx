/** Lines over time, on uPlot. Its figures are read by pointer, by touch, and with the arrow keys. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { stepOf } from './steps.js';

export interface Line {
  readonly name: string;
  /** One for each start; null where there is nothing to tell. */
  readonly values: readonly (number | null)[];
}

interface LineChartProps {
  readonly title: string;
  /** Of the periods, as ISO 8601. */
  readonly starts: readonly string[];
  readonly stepMs: number;
  /** At most two: the first is drawn in the soft colour, the last in the strong one. */
  readonly lines: readonly Line[];
  readonly unit: (value: number) => string;
  /** The axis ends there at least. */
  readonly leastMaximum: number;
}

const HEIGHT = 180;
const WHOLE_STEPS = [1, 2, 5]
  .flatMap((step) => Array.from({ length: 9 }, (_, power) => step * 10 ** power))
  .sort((a, b) => a - b);

export function LineChart({ title, starts, stepMs, lines, unit, leastMaximum }: LineChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(null);
  const [at, setAt] = useState<number>();
  const { name: step, isOfUtc, startInWords: nameOf } = stepOf(stepMs, starts.length);
  const seconds = starts.map((start) => Date.parse(start) / 1000);
  const data: uPlot.AlignedData = [seconds, ...lines.map(({ values }) => [...values])];

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const drawn = new uPlot(optionsOf(), data, element);
    chart.current = drawn;
    const follow = (): void => drawn.setSize({ width: element.clientWidth, height: HEIGHT });
    const sizes = new ResizeObserver(follow);
    sizes.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const redraw = (): void => drawn.redraw();
    scheme.addEventListener('change', redraw);
    return () => {
      sizes.disconnect();
      scheme.removeEventListener('change', redraw);
      drawn.destroy();
    };
  }, [stepMs, starts.length]);
  useEffect(() => chart.current?.setData(data), [JSON.stringify(data)]);

  function optionsOf(): uPlot.Options {
    const colour = (name: string) => () => getComputedStyle(document.documentElement).getPropertyValue(name);
    const axis = { stroke: colour('--soft'), font: '12px system-ui, sans-serif', ticks: { show: false } };
    const grid = { stroke: colour('--line'), width: 1 };
    return {
      width: box.current?.clientWidth ?? 0,
      height: HEIGHT,
      // The last name on the axis reaches beyond it.
      padding: [null, 28, null, null],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
      ...(isOfUtc && { tzDate: (time) => uPlot.tzDate(new Date(time * 1000), 'Etc/UTC') }),
      scales: { y: { range: (_, __, highest) => [0, Math.max(leastMaximum, highest * 1.05)] } },
      series: [
        {},
        ...lines.map(({ name }, index) => ({
          label: name,
          stroke: colour(index === lines.length - 1 ? '--accent' : '--line-soft'),
          width: 2,
          ...(index < lines.length - 1 && { dash: [4, 4] }),
          points: { show: true, size: starts.length > 60 ? 3 : 5 },
          spanGaps: false,
        })),
      ],
      axes: [
        {
          ...axis,
          grid: { show: false },
          space: 84,
          size: 22,
          values: (_, times) => times.map((time) => nameOf(new Date(time * 1000).toISOString())),
        },
        {
          ...axis,
          grid,
          incrs: WHOLE_STEPS,
          space: 36,
          size: (_, values: string[] | null) => 14 + 7 * Math.max(2, ...(values ?? []).map(({ length }) => length)),
          values: (_, values) => values.map(unit),
        },
      ],
      hooks: {
        setCursor: [({ cursor: { idx } }) => setAt(idx ?? undefined)],
        ready: [followTouch],
      },
    };
  }

  function moveTo(index: number | undefined): void {
    const time = index === undefined ? undefined : seconds[index];
    const left = time === undefined ? -10 : (chart.current?.valToPos(time, 'x') ?? -10);
    chart.current?.setCursor({ left, top: time === undefined ? -10 : 1 });
  }

  function onKeyDown(event: KeyboardEvent): void {
    const last = starts.length - 1;
    const present = at ?? last + 1;
    const to = { ArrowLeft: Math.max(0, present - 1), ArrowRight: Math.min(last, present + 1), Home: 0, End: last }[
      event.key
    ];
    if (to === undefined) return;
    event.preventDefault();
    moveTo(to);
  }

  const figuresAt = (index: number): string =>
    lines
      .map(({ name, values }) => {
        const value = values[index];
        return `${name} ${typeof value === 'number' ? unit(value) : '–'}`;
      })
      .join(', ');
  const shown = at ?? starts.length - 1;
  const share = shown / Math.max(1, starts.length - 1);
  return (
    <figure class="card plot">
      <figcaption>
        <h2>{title}</h2>
        {lines.length > 1 && (
          <span class="legend">
            {lines.map(({ name }, index) => (
              <span key={name}>
                <i class={index === lines.length - 1 ? 'strong' : ''} /> {name}
              </span>
            ))}
          </span>
        )}
      </figcaption>
      <div
        class="lines"
        role="slider"
        tabIndex={0}
        aria-label={`${title}, by ${step}`}
        aria-valuemin={0}
        aria-valuemax={starts.length - 1}
        aria-valuenow={shown}
        aria-valuetext={`${nameOf(starts[shown] ?? '')}: ${figuresAt(shown)}`}
        onKeyDown={onKeyDown}
        onBlur={() => moveTo(undefined)}
      >
        <div ref={box} />
        {at !== undefined && (
          <p class={`tooltip ${share > 0.5 ? 'at-left' : ''}`}>
            <strong>{nameOf(starts[at] ?? '')}</strong> {figuresAt(at)}
          </p>
        )}
      </div>
    </figure>
  );
}

/** uPlot follows a mouse; a finger that moves along is followed here. */
function followTouch(chart: uPlot): void {
  chart.over.addEventListener('pointermove', ({ pointerType, clientX }) => {
    if (pointerType !== 'touch') return;
    chart.setCursor({ left: clientX - chart.over.getBoundingClientRect().left, top: 1 });
  });
}
