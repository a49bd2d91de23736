/** Deletes decisions and suggested labels in time: when theirs has come, or when their project keeps them for less by now. */
import { setImmediate } from 'node:timers/promises';
import { messageOf, OperatorError, ServiceError } from '../errors.js';
import type { VerdictPolicy } from '../moderation/verdict-policy.js';
import type { DecisionRepository, Due } from './decision-repository.js';
import { DAY_MS } from '../durations.js';

export interface Retention {
  /** Once, whatever there is to delete. Never rejects. Several servers may do it at the same time. */
  run(): Promise<void>;
  /** Ends a run after the batch that is under way. */
  stop(): void;
}

export interface RetentionDeps {
  readonly decisions: Pick<DecisionRepository, 'deleteDue' | 'projects'>;
  /** Those that callers suggested. */
  readonly labels: Pick<DecisionRepository, 'deleteDue'>;
  readonly policyOf: (projectId: string) => VerdictPolicy | Promise<VerdictPolicy>;
  /** For the log. */
  readonly onProblem: (problem: string) => void;
  readonly now?: () => Date;
}

/** Small: whoever writes meanwhile waits for one. */
const BATCH = 200;

export function createRetention({ now = () => new Date(), ...deps }: RetentionDeps): Retention {
  const { decisions, labels, policyOf, onProblem } = deps;
  let stopped = false;

  async function deleteAll(due: Due): Promise<void> {
    for (const kept of [decisions, labels]) {
      while (!stopped && (await kept.deleteDue(due, BATCH)) === BATCH) await setImmediate();
    }
  }

  let running: Promise<void> | undefined;

  async function deleteWhatIsDue(): Promise<void> {
    try {
      const at = now().getTime();
      await deleteAll({ deleteAt: at });
      for await (const projectId of decisions.projects()) {
        const { keep } = await policyOf(projectId);
        // Where nothing is kept any more, what is there goes when it was promised to.
        if (keep !== undefined) await deleteAll({ projectId, before: at - keep.days * DAY_MS });
      }
    } catch (error) {
      if (!(error instanceof OperatorError || error instanceof ServiceError)) throw error;
      onProblem(messageOf(error));
    }
  }

  return {
    run() {
      running ??= deleteWhatIsDue().finally(() => {
        running = undefined;
      });
      return running;
    },
    stop() {
      stopped = true;
    },
  };
}
