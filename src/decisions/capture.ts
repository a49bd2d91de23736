/**
 * Takes what a project keeps of each verdict, holds it in memory for a moment, and writes it in batches. No verdict waits for it: where the store is slow
 * or away, what its memory cannot hold is lost, and counted.
 */
import { OperatorError } from '../errors.js';
import type { Analysis } from '../moderation/analyzer.js';
import { createDecisionIds, type Decision } from './decision-record.js';
import { MOST_INSERTED, type DecisionRepository, type LostDecisions } from './decision-repository.js';
import type { TextCipher } from './text-cipher.js';
import { DAY_MS } from '../durations.js';

/** A verdict on a request with a key. */
export interface NotedVerdict {
  readonly keyId: string;
  readonly projectId: string;
  readonly door: string;
  readonly requestId: string;
  readonly content: string;
  readonly metadata: unknown;
  readonly analysis: Analysis;
}

export interface Capture {
  /** @returns the id of the decision, where the policy of the project keeps it and there is place */
  note(verdict: NotedVerdict): string | undefined;
  /** Writes what there is, as far as the store takes it. Never rejects. */
  flush(): Promise<void>;
  /** Flushes for a while, and counts what is left as lost. */
  close(): Promise<void>;
}

/** The memory was full, the store refused it, or the service ended before it was written. */
export const LOSS_REASONS = ['full', 'refused', 'stopped'] as const;
export type LossReason = (typeof LOSS_REASONS)[number];

export interface CaptureDeps {
  readonly decisions: Pick<DecisionRepository, 'insertMany' | 'noteLost'>;
  /** Absent: no text is kept, whatever a policy says. */
  readonly cipher?: TextCipher | undefined;
  /** How far a verdict is from another one, where somebody is to look at it. Absent: nobody is. */
  readonly reviewOf?: ((analysis: Analysis) => number | undefined) | undefined;
  readonly onLost: (reason: LossReason, count: number) => void;
  /** Told once of each reason why nothing is written, and with `undefined` when it is written again; for the log. */
  readonly onProblem: (problem: string | undefined) => void;
  readonly now?: () => Date;
  readonly limits?: CaptureLimits;
}

export interface CaptureLimits {
  readonly mostEntries: number;
  readonly mostBytes: number;
  /** How long a decision waits for others. */
  readonly everyMs: number;
  /** How long until the store is asked again after a failure. */
  readonly retryMs: number;
  readonly closeMs: number;
}

export const CAPTURE_LIMITS: CaptureLimits = {
  mostEntries: 20_000,
  mostBytes: 32 * 1024 * 1024,
  everyMs: 250,
  retryMs: 1000,
  closeMs: 5000,
};

/** About what V8 takes for one without its text. */
const BYTES_OF_ENTRY = 700;
const MOST_REFERENCE_CHARACTERS = 200;

export function createCapture({ limits = CAPTURE_LIMITS, now = () => new Date(), ...deps }: CaptureDeps): Capture {
  const { decisions, cipher, reviewOf, onLost, onProblem } = deps;
  const nextId = createDecisionIds();
  const waiting: Decision[] = [];
  /** By project and day; until the store has it. */
  const lost = new Map<string, LostDecisions>();
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let problem: string | undefined;
  let closed = false;

  function lose(reason: LossReason, gone: readonly Pick<Decision, 'projectId' | 'at'>[]): void {
    if (gone.length === 0) return;
    onLost(reason, gone.length);
    for (const { projectId, at } of gone) {
      const day = new Date(at).toISOString().slice(0, 10);
      const key = `${projectId} ${day}`;
      lost.set(key, { projectId, day, lost: (lost.get(key)?.lost ?? 0) + 1 });
    }
  }

  function later(ms: number): void {
    if (closed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      void flush();
    }, ms).unref();
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing ??= write().finally(() => {
      writing = undefined;
      if (waiting.length > 0 || lost.size > 0) later(problem === undefined ? limits.everyMs : limits.retryMs);
    });
    return writing;
  }

  async function write(): Promise<void> {
    try {
      while (waiting.length > 0) await writeBatch(waiting.slice(0, MOST_INSERTED));
      if (lost.size > 0) {
        const told = [...lost.values()];
        lost.clear();
        await decisions.noteLost(told).catch((error: unknown) => {
          for (const each of told) addBack(each);
          throw error;
        });
      }
      if (problem !== undefined) onProblem(undefined);
      problem = undefined;
    } catch (error) {
      // Others are a fault of ours, whose message could quote a value.
      const reason = error instanceof OperatorError ? error.message : 'it failed';
      if (reason !== problem) onProblem(reason);
      problem = reason;
    }
  }

  async function writeBatch(batch: readonly Decision[]): Promise<void> {
    try {
      await decisions.insertMany(batch);
    } catch (error) {
      // What the store does not take now it may take later; what it does not take at all must not hold the others up.
      if (error instanceof OperatorError) throw error;
      lose('refused', batch);
    }
    waiting.splice(0, batch.length);
    for (const decision of batch) bytes -= bytesOf(decision);
  }

  function addBack({ projectId, day, lost: howMany }: LostDecisions): void {
    const key = `${projectId} ${day}`;
    lost.set(key, { projectId, day, lost: (lost.get(key)?.lost ?? 0) + howMany });
  }

  return {
    note({ analysis, content, metadata, ...verdict }) {
      const { keep, origin } = analysis.policy;
      if (keep === undefined) return undefined;
      const at = now().getTime();
      if (closed || waiting.length >= limits.mostEntries || bytes >= limits.mostBytes) {
        lose('full', [{ projectId: verdict.projectId, at }]);
        later(limits.everyMs);
        return undefined;
      }
      const id = nextId(at);
      const doubt = reviewOf?.(analysis);
      const decision: Decision = {
        ...{ id, at, keyId: verdict.keyId, projectId: verdict.projectId },
        ...{ door: verdict.door, requestId: verdict.requestId },
        reference: keep.reference === undefined ? undefined : referenceIn(metadata, keep.reference),
        passed: analysis.verdict.passed,
        score: analysis.verdict.score,
        categories: analysis.verdict.categories,
        language: analysis.probabilities.language?.tag,
        policyVersion: origin?.version,
        content: keep.what === 'texts' ? cipher?.seal(content, id) : undefined,
        deleteAt: at + keep.days * DAY_MS,
        review: doubt === undefined ? undefined : 'open',
        doubt,
      };
      waiting.push(decision);
      bytes += bytesOf(decision);
      if (waiting.length >= MOST_INSERTED && problem === undefined) void flush();
      else later(limits.everyMs);
      return id;
    },

    flush,

    async close() {
      closed = true;
      const end = Date.now() + limits.closeMs;
      // One that is under way may have begun before the latest came.
      const all = (async () => {
        await writing;
        await flush();
      })();
      await Promise.race([all, new Promise((resolve) => setTimeout(resolve, end - Date.now()).unref())]);
      lose('stopped', waiting.splice(0));
    },
  };
}

/** Text without control characters, or a number: what else stands there is no name. */
function referenceIn(metadata: unknown, member: string): string | undefined {
  if (typeof metadata !== 'object' || metadata === null || !Object.hasOwn(metadata, member)) return undefined;
  const value: unknown = (metadata as Record<string, unknown>)[member];
  const reference = typeof value === 'number' ? String(value) : value;
  return isReference(reference) ? reference : undefined;
}

export function isReference(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length > 0 &&
    value.length <= MOST_REFERENCE_CHARACTERS &&
    value.isWellFormed() &&
    !/\p{Cc}/u.test(value)
  );
}

function bytesOf({ content }: Decision): number {
  return BYTES_OF_ENTRY + (content?.byteLength ?? 0);
}
