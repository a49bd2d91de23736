/** Who wants a text judged, as far as judging it depends on that. A leaf: all layers pass it on. */
export interface Asker {
  /** Whose share of the workers it takes; undefined is a share of its own. */
  readonly project?: string | undefined;
  /** Aborts when the answer is of no use any more. */
  readonly signal?: AbortSignal | undefined;
}
