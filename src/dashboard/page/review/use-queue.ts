/** The decisions that this browser holds: the one that is looked at, and the one after it, which is fetched meanwhile. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { DecisionToReview, NextResponse } from '../../routes/review-schemas.js';
import { send, sendOnLeaving } from '../shared/api.js';
import { messageOf } from '../shared/words.js';

export type Judgement =
  | { readonly outcome: 'right'; readonly note?: string | undefined }
  | {
      readonly outcome: 'wrong';
      readonly shouldPass: boolean;
      readonly categories: readonly string[];
      readonly note?: string | undefined;
    };

export interface Queue {
  /** Null where nothing is left; undefined until that is known. */
  readonly current: DecisionToReview | null | undefined;
  readonly waiting: number;
  /** Since the view was opened. */
  readonly judged: number;
  readonly problem: string | undefined;
  readonly judge: (judgement: Judgement) => void;
  readonly skip: () => void;
  readonly undo: () => void;
  readonly lookAgain: () => Promise<void>;
}

interface State {
  /** The first one is shown. */
  readonly held: readonly DecisionToReview[];
  /** Nothing else was left when it was asked last. */
  readonly isEmpty: boolean;
  readonly waiting: number;
  readonly judged: number;
  readonly problem: string | undefined;
}

const START: State = { held: [], isEmpty: false, waiting: 0, judged: 0, problem: undefined };
/** The one that is shown and the one after it. */
const HELD = 2;
/** What the service takes. */
const MOST_DONE = 100;

/** @param projectId undefined: of all projects */
export function useQueue(projectId: string | undefined): Queue {
  const [state, setState] = useState(START);
  const held = useRef<readonly DecisionToReview[]>([]);
  /** Judged, or left to others. */
  const done = useRef<readonly string[]>([]);
  /** One request after another: what is judged must not come again as the next. */
  const turn = useRef<Promise<unknown>>(Promise.resolve());

  const show = useCallback((decisions: readonly DecisionToReview[], more: Partial<State> = {}): void => {
    held.current = decisions;
    setState((state) => ({ ...state, ...more, held: decisions }));
  }, []);

  const inTurn = useCallback(
    (work: () => Promise<void>): Promise<void> => {
      const done = turn.current.then(work).catch((error: unknown) => show(held.current, { problem: messageOf(error) }));
      turn.current = done;
      return done;
    },
    [show],
  );

  const fill = useCallback(async (): Promise<void> => {
    while (held.current.length < HELD) {
      const except = [...held.current.map(({ id }) => id), ...done.current];
      const { decision, waiting } = await send<NextResponse>('POST', '/reviews/next', {
        except,
        ...(projectId !== undefined && { projectId }),
      });
      show(decision === null ? held.current : [...held.current, decision], { waiting, isEmpty: decision === null });
      if (decision === null) return;
    }
  }, [projectId, show]);

  useEffect(() => {
    show([], START);
    void inTurn(fill);
    const release = (): void => {
      const ids = held.current.map(({ id }) => id);
      if (ids.length > 0) sendOnLeaving('/reviews/release', { ids });
      held.current = [];
    };
    // A page that the browser keeps for "back" begins anew.
    const resume = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) void inTurn(fill);
    };
    addEventListener('pagehide', release);
    addEventListener('pageshow', resume);
    return () => {
      removeEventListener('pagehide', release);
      removeEventListener('pageshow', resume);
      release();
    };
  }, [fill, inTurn, show]);

  /** What was held for too long may be somebody else's by now. */
  function advance(more: Partial<State>): void {
    const now = Date.now();
    done.current = [...done.current, ...held.current.slice(0, 1).map(({ id }) => id)].slice(-MOST_DONE);
    show(
      held.current.slice(1).filter(({ claimedUntil }) => Date.parse(claimedUntil) > now),
      { problem: undefined, ...more },
    );
  }

  const [current] = state.held;
  return {
    current: current ?? (state.isEmpty ? null : undefined),
    waiting: state.waiting,
    judged: state.judged,
    problem: state.problem,

    judge(judgement) {
      if (current === undefined) return;
      advance({ judged: state.judged + 1, waiting: Math.max(0, state.waiting - 1) });
      void inTurn(async () => {
        try {
          await send('POST', `/reviews/${current.id}/judgement`, judgement);
        } catch (error) {
          done.current = done.current.filter((id) => id !== current.id);
          setState((state) => ({ ...state, problem: `Your last answer was not saved. ${messageOf(error)}` }));
        }
        await fill();
      });
    },

    skip() {
      if (current === undefined) return;
      advance({});
      void inTurn(async () => {
        await send('POST', '/reviews/release', { ids: [current.id] });
        await fill();
      });
    },

    undo() {
      void inTurn(async () => {
        const back = await send<DecisionToReview>('POST', '/reviews/undo');
        done.current = done.current.filter((id) => id !== back.id);
        show([back, ...held.current], {
          problem: undefined,
          judged: Math.max(0, state.judged - 1),
          waiting: state.waiting + 1,
        });
      });
    },

    lookAgain: () => inTurn(fill),
  };
}
