/** Collects the places where terms stand, as they are found, and settles which of them count. Knows places, not texts. */

export interface TermMatch {
  readonly kind: 'blocked' | 'ignored';
  /** Index into the list of its kind. */
  readonly term: number;
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Of the matches that end at one place only the longest is kept: it covers the others, and is covered by all that covers them. */
export class FoundTerms {
  readonly #longest = { blocked: new Map<number, TermMatch>(), ignored: new Map<number, TermMatch>() };

  add(match: TermMatch): void {
    const longest = this.#longest[match.kind];
    const known = longest.get(match.end);
    const isBetter =
      known === undefined || match.start < known.start || (match.start === known.start && match.term < known.term);
    if (isBetter) longest.set(match.end, match);
  }

  addAll(matches: Iterable<TermMatch>): void {
    for (const match of matches) this.add(match);
  }

  get isEmpty(): boolean {
    return this.#longest.blocked.size + this.#longest.ignored.size === 0;
  }

  *[Symbol.iterator](): Generator<TermMatch> {
    yield* this.#longest.blocked.values();
    yield* this.#longest.ignored.values();
  }

  /** The first, the longest of those that begin at one place, and so on behind it: in order, none overlapping another. */
  ignored(): TermMatch[] {
    return withoutOverlaps([...this.#longest.ignored.values()]);
  }

  /** As `ignored`, without what stands within an ignored term: as long as it or shorter. */
  blocked(): TermMatch[] {
    const covers = coverOf([...this.#longest.ignored.values()]);
    return withoutOverlaps([...this.#longest.blocked.values()].filter((match) => !covers(match)));
  }
}

function byPlace(one: Place, other: Place): number {
  return one.start - other.start || other.end - one.end;
}

function withoutOverlaps(matches: TermMatch[]): TermMatch[] {
  const kept: TermMatch[] = [];
  let reached = 0;
  for (const match of matches.sort(byPlace)) {
    if (match.start < reached) continue;
    kept.push(match);
    reached = match.end;
  }
  return kept;
}

/** Whether a place lies within one of the others. */
function coverOf(places: readonly Place[]): (place: Place) => boolean {
  const sorted = [...places].sort(byPlace);
  let furthest = -1;
  const reach = sorted.map(({ end }) => (furthest = Math.max(furthest, end)));
  return ({ start, end }) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.start ?? 0) <= start) low = middle + 1;
      else high = middle;
    }
    return low > 0 && (reach[low - 1] ?? -1) >= end;
  };
}
