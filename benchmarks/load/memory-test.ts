/** Whether memory grows: many requests, most of them repeated, while the resident memory is read every second. */
import type { LoadFigures } from './figures/load-figures.js';
import { median } from './figures/percentiles.js';
import { LOADS, repeated, saturating } from './loads.js';
import type { Measurer } from './measurer.js';
import { readUsage } from './targets/process-usage.js';
import type { Target } from './targets/target.js';

export interface MemoryFigures {
  readonly requests: number;
  /** Medians of the first and of the last fifth of the time. */
  readonly beginMegabytes: number | null;
  readonly endMegabytes: number | null;
  readonly samples: readonly number[];
}

export interface MemoryTest {
  readonly service: Target;
  readonly measurer: Measurer;
  readonly requests: number;
  /** What the rounds gave: says how long so many requests take. */
  readonly loads: readonly LoadFigures[];
}

const SAMPLE_EVERY_MS = 1000;
const LOAD = 'memory test';

/** @returns null where no requests are wanted, or none were answered before */
export async function testMemory({ service, measurer, requests, loads }: MemoryTest): Promise<MemoryFigures | null> {
  const known = loads.find(({ subject, load }) => subject === service.name && load === LOADS.repeated);
  const perSecond = known?.median.perSecond ?? 0;
  const [server] = service.processes;
  if (requests === 0 || perSecond === 0 || server === undefined) return null;
  const samples: number[] = [];
  const timer = setInterval(() => {
    void readUsage(server.pid).then((usage) => usage !== null && samples.push(usage.memoryMegabytes));
  }, SAMPLE_EVERY_MS);
  const measureMs = Math.ceil((1000 * requests) / perSecond);
  try {
    const answered = await measurer.measure(service, [{ load: LOAD, stream: saturating(repeated(0.9)) }], {
      measureMs,
    });
    return { requests: Math.round((answered * measureMs) / 1000), ...endsOf(samples), samples };
  } finally {
    clearInterval(timer);
  }
}

export function endsOf(samples: readonly number[]): Pick<MemoryFigures, 'beginMegabytes' | 'endMegabytes'> {
  const fifth = Math.ceil(samples.length / 5);
  return { beginMegabytes: median(samples.slice(0, fifth)), endMegabytes: median(samples.slice(-fifth)) };
}
