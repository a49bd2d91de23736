/**
 * Where the page is. The address holds the view as its path and filters as its query; what no server or log may see, the text and the
 * settings that are tried, stands behind the `#`, which browsers do not send.
 */
import { useEffect, useState } from 'preact/hooks';

export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly fragment: URLSearchParams;
}

/** By name what is to stand there; undefined takes it out. */
type Change = Readonly<Record<string, string | undefined>>;

const listeners = new Set<() => void>();
const notify = (): void => listeners.forEach((listener) => listener());
addEventListener('popstate', notify);

const placeNow = (): Place => ({
  path: location.pathname.replace(/\/$/, ''),
  query: new URLSearchParams(location.search),
  fragment: new URLSearchParams(location.hash.slice(1)),
});

export function usePlace(): Place {
  const [place, setPlace] = useState(placeNow);
  useEffect(() => {
    const update = (): void => setPlace(placeNow());
    listeners.add(update);
    // It may have changed since it was drawn.
    update();
    return () => void listeners.delete(update);
  }, []);
  return place;
}

/** Going where one is already adds no entry to the history. */
export function go(address: string, replaces = false): void {
  if (replaces || address === location.pathname + location.search + location.hash)
    history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  notify();
}

/** Stays in the view. @param replaces whether "back" leads past the present state */
export function change({ query = {}, fragment = {} }: { query?: Change; fragment?: Change }, replaces = false): void {
  const now = placeNow();
  go(addressOf(location.pathname, changed(now.query, query), changed(now.fragment, fragment)), replaces);
}

export function addressOf(path: string, query: URLSearchParams, fragment = new URLSearchParams()): string {
  return `${path}${query.size > 0 ? `?${query}` : ''}${fragment.size > 0 ? `#${fragment}` : ''}`;
}

function changed(present: URLSearchParams, change: Change): URLSearchParams {
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) present.delete(name);
    else present.set(name, value);
  }
  return present;
}
