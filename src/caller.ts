/** Who wants a text judged, as far as judging it depends on that. All layers pass it on. */
export interface Caller {
  /** Whose share of the workers it takes; undefined is a share of its own. */
  readonly project?: string | undefined;
  /** Aborts, with an Error, when the answer is of no use any more. */
  readonly signal?: AbortSignal | undefined;
  /** Absent where the policy has none. */
  readonly terms?: Terms | undefined;
  /** Whether it will ask where in the text something stands. No probability of the text depends on it. */
  readonly spans?: boolean | undefined;
}

/** Words that the worker looks for in the undisguised text. */
export interface Terms {
  /** Both as JSON, `[blocked, ignored]`. Perhaps read anew from where they are kept. @throws Error where they are not there any more */
  readonly lists: () => string | Promise<string>;
  /** Of both lists. */
  readonly characters: number;
  /** Equal only where the lists are: what was read under other lists must not be remembered for these. */
  readonly digest: string;
}
