/** How far two people agree beyond what chance gives. Pure. */
import { shareInterval } from '../policies/fitting/share-interval.js';

/** Of pairs of answers to a question of yes or no: how many of each kind there are. */
export interface AnswerPairs {
  readonly bothYes: number;
  readonly firstAlone: number;
  readonly secondAlone: number;
  readonly bothNo: number;
}

export interface Kappa {
  /** 1 where all agree, 0 where they agree as often as chance would have it; never below -1. */
  readonly value: number;
  /** Holds that of all such pairs in at least 95 of 100 samples. */
  readonly interval: [number, number];
}

/**
 * Cohen's kappa (Cohen 1960, "A coefficient of agreement for nominal scales"). As there, the interval takes the agreement by chance as given: it is
 * that of the share that agrees, here the exact one. The usual error of large samples (Fleiss, Cohen and Everitt 1969) is no use with few pairs:
 * where all of ten agree it says that the kappa is 1 for sure.
 *
 * @returns undefined where there is no pair, or both said the same of all: then chance alone explains everything
 */
export function kappaOf({ bothYes, firstAlone, secondAlone, bothNo }: AnswerPairs): Kappa | undefined {
  const pairs = bothYes + firstAlone + secondAlone + bothNo;
  const [firstYes, secondYes] = [(bothYes + firstAlone) / pairs, (bothYes + secondAlone) / pairs];
  const byChance = firstYes * secondYes + (1 - firstYes) * (1 - secondYes);
  if (pairs === 0 || byChance === 1) return undefined;
  const kappaAt = (agreement: number): number => Math.max(-1, (agreement - byChance) / (1 - byChance));
  const agreeing = bothYes + bothNo;
  const [low, high] = shareInterval(agreeing, pairs);
  return { value: kappaAt(agreeing / pairs), interval: [kappaAt(low), kappaAt(high)] };
}
