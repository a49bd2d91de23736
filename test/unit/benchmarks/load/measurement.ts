/** A measurement for tests: of the service under unique texts, with nothing known but what is given. */
import type { Measurement } from '../../../../benchmarks/load/figures/measurement.js';
import { LOADS, SUBJECTS } from '../../../../benchmarks/load/loads.js';

export function measurement(known: Partial<Measurement> = {}): Measurement {
  return {
    subject: SUBJECTS.service,
    load: LOADS.unique,
    perSecond: 100,
    offeredPerSecond: null,
    latenciesMs: new Float64Array(),
    answers: {},
    cpuCores: null,
    threads: null,
    memoryMegabytes: null,
    generatorCores: null,
    stages: null,
    isAlone: true,
    ...known,
  };
}
