/** A light AbortController, of which every text takes several: what aborts is told to plain functions, in the order in which they listen. */

/** What is needed of an AbortSignal to be told that work is of no use any more; every AbortSignal is one. */
export interface GiveUpSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export class GiveUp implements GiveUpSignal {
  #aborted = false;
  #reason: unknown;
  readonly #listeners: (() => void)[] = [];

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  /** Only the first time counts. */
  abort(reason: Error): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    for (let listener = this.#listeners.shift(); listener !== undefined; listener = this.#listeners.shift()) listener();
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const index = this.#listeners.indexOf(listener);
    if (index !== -1) this.#listeners.splice(index, 1);
  }
}

/** The reason of an aborted signal, as what a promise may reject with. */
export function reasonOf({ reason }: GiveUpSignal): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
