/** Asks anew in intervals while somebody is there: a page that was left open must not keep its session alive. */
import { useEffect } from 'preact/hooks';

const LEFT_AFTER_MS = 10 * 60_000;
const SIGNS_OF_LIFE = ['pointermove', 'pointerdown', 'keydown', 'focus'] as const;

export function useRefreshing(refresh: () => Promise<void>, everyMs: number): void {
  useEffect(() => {
    let seenAt = performance.now();
    const see = (): void => void (seenAt = performance.now());
    for (const sign of SIGNS_OF_LIFE) addEventListener(sign, see);
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && performance.now() - seenAt < LEFT_AFTER_MS) void refresh();
    }, everyMs);
    return () => {
      clearInterval(timer);
      for (const sign of SIGNS_OF_LIFE) removeEventListener(sign, see);
    };
  }, [refresh, everyMs]);
}
