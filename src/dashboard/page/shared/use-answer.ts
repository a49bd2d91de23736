/** What the service answers to a question that a view is made of: asked when it opens, and again on demand. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { get } from './api.js';
import { messageOf } from './words.js';

export interface Answered<Answer> {
  /** The latest; it stays while it is asked anew. */
  readonly answer?: Answer;
  readonly problem?: string;
  readonly refresh: () => Promise<void>;
}

/** @param version of what is asked about: with another it is asked anew */
export function useAnswer<Answer>(path: string, version?: number): Answered<Answer> {
  const [state, setState] = useState<Omit<Answered<Answer>, 'refresh'>>({});
  const latest = useRef(0);
  const refresh = useCallback(async () => {
    latest.current += 1;
    const mine = latest.current;
    let next: typeof state;
    try {
      next = { answer: await get<Answer>(path) };
    } catch (error) {
      next = { problem: messageOf(error) };
    }
    if (mine === latest.current) setState(next);
  }, [path]);
  useEffect(() => void refresh(), [refresh, version]);
  return { ...state, refresh };
}
