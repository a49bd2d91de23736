/**
 * Whether what is kept of the database is what the database says: asks it which revisions are new, once for all requests of a moment, and decides
 * how long what is kept counts while it does not answer. Knows nothing of keys or SQL.
 */
import { performance } from 'node:perf_hooks';
import { faultOf, OperatorError } from '../../errors.js';

export interface Change {
  readonly revision: string;
  readonly token: string;
  readonly kind: string;
  readonly id: string;
}

export type ChangeListener = (changes: readonly Change[] | 'all') => void;

export interface FreshnessDeps {
  /** For messages. */
  readonly location: string;
  /**
   * The revision `since` and those after it, in order; the latest alone where there is no `since`. A state from before the call must not be
   * answered. Never hangs.
   */
  readonly changesSince: (since: string | undefined) => Promise<readonly Change[]>;
  readonly graceMs: number;
  /** Told how long each question took, and whether it was answered. */
  readonly onRefresh?: ((seconds: number, answered: boolean) => void) | undefined;
  readonly nowMs?: () => number;
}

export interface Freshness {
  /**
   * When it resolves, what is kept is as of a moment after the call; while the database is away, as of at most the grace ago, and at once.
   *
   * @throws OperatorError once the grace is over
   */
  refresh(): Promise<void>;
  /** @throws OperatorError once the grace is over */
  check(): void;
  /** Told, before anybody's refresh ends, of what is to be dropped. */
  onChange(listener: ChangeListener): void;
  /** For what is not kept. @throws OperatorError while the database is away, within the grace too */
  refuseWhileAway(): void;
  close(): void;
}

const TICK_MS = 250;
/** A server that nobody asks must know when the database went away, else there were no grace for its next request. */
const IDLE_MS = 1000;

export function createFreshness(deps: FreshnessDeps): Freshness {
  const { location, changesSince, graceMs, onRefresh, nowMs = () => performance.now() } = deps;
  const listeners: ChangeListener[] = [];
  let latest: Pick<Change, 'revision' | 'token'> | undefined;
  /** When the last question that was answered had been asked. */
  let freshAtMs = -Infinity;
  let askedAtMs = -Infinity;
  /** Why the last question was not answered. */
  let problem: string | undefined;
  /** The question after the one under way. It must not be joined by those who come when it has begun. */
  let next: { readonly answered: Promise<void>; readonly begin: () => void } | undefined;
  let isAsking = false;

  function ask(): Promise<void> {
    if (next === undefined) {
      let begin: () => void = () => undefined;
      const answered = new Promise<void>((resolve) => (begin = resolve)).then(question);
      next = { answered, begin };
    }
    const { answered } = next;
    if (!isAsking) beginNext();
    return answered;
  }

  function beginNext(): void {
    isAsking = next !== undefined;
    const beginning = next;
    next = undefined;
    beginning?.begin();
  }

  /** Never rejects. */
  async function question(): Promise<void> {
    askedAtMs = nowMs();
    try {
      take(await changesSince(latest?.revision));
      freshAtMs = askedAtMs;
      problem = undefined;
    } catch (error) {
      problem = error instanceof OperatorError ? error.message : `${location} failed (${faultOf(error).name}).`;
    }
    onRefresh?.((nowMs() - askedAtMs) / 1000, problem === undefined);
    beginNext();
  }

  function take(changes: readonly Change[]): void {
    const [first, ...later] = changes;
    const isContinued = first !== undefined && first.revision === latest?.revision && first.token === latest.token;
    if (isContinued && later.length === 0) return;
    for (const listener of listeners) listener(isContinued ? later : 'all');
    latest = changes.at(-1);
  }

  function check(): void {
    if (problem !== undefined && nowMs() - freshAtMs >= graceMs) throw new OperatorError(problem);
  }

  const timer = setInterval(() => {
    if (!isAsking && (problem !== undefined || nowMs() - askedAtMs >= IDLE_MS)) void ask();
  }, TICK_MS).unref();

  return {
    async refresh() {
      // While the database is away the timer asks, and nobody waits.
      if (problem === undefined) await ask();
      check();
    },
    check,
    onChange: (listener) => void listeners.push(listener),
    refuseWhileAway() {
      if (problem !== undefined) throw new OperatorError(problem);
    },
    close: () => clearInterval(timer),
  };
}
