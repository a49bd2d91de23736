/** A measurement for tests: of the service under unique texts, with nothing known but what is given. */
import type { Measurement } from '../../../../benchmarks/load/figures/measurement.js';
import { UNASKED } from '../../../../benchmarks/load/rounds.js';
import { LOADS, SUBJECTS } from '../../../../benchmarks/load/loads.js';

export function measurement(known: Partial<Measurement> = {}): Measurement {
  return {
    subject: SUBJECTS.service,
    load: LOADS.unique,
    perSecond: 100,
    latenciesMs: new Float64Array(),
    ...UNASKED,
    ...known,
  };
}
