/** What is lost of decisions that projects keep. */
import { Counter, type Registry } from 'prom-client';
import { LOSS_REASONS, type LossReason } from '../../decisions/capture.js';

/** @returns to be told of those that are lost */
export function registerDecisionMetrics(registry: Registry): (reason: LossReason, count: number) => void {
  const lost = new Counter({
    name: 'parapet_decisions_lost_total',
    help: 'Decisions that a project keeps and that could not be kept: the memory was full, the store refused them, or the service stopped.',
    labelNames: ['reason'],
    registers: [registry],
  });
  for (const reason of LOSS_REASONS) lost.inc({ reason }, 0);
  return (reason, count) => lost.inc({ reason }, count);
}
