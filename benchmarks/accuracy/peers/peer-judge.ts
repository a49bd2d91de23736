/** Makes a judge of whatever says how toxic a text is. */
import type { Judge } from '../judges/judge.js';

export interface PeerOptions {
  readonly name: string;
  readonly version: string;
  /** Most texts that may wait for an answer at a time. */
  readonly concurrency: number;
  /** A probability, or 0 and 1 where the peer only says yes or no. */
  readonly ask: (text: string) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** What the peer gives at least 0.5 is flagged. */
const FLAGGED_FROM = 0.5;

export function createPeerJudge({ name, version, concurrency, ask, close }: PeerOptions): Judge {
  const model = `${name}@${version}`;
  return {
    description: model,
    concurrency,
    async judge(text) {
      const toxicity = await ask(text);
      const passed = toxicity < FLAGGED_FROM;
      // A peer knows no bands: what it flags stands at the end of the scale.
      const verdict = { score: passed ? 0 : 10, passed, sentiment: 'neutral', categories: [] };
      return { ...verdict, labels: { toxicity }, sentiments: {}, model };
    },
    close,
  };
}
