/** What disguises do to verdicts. */
import { OperatorError } from 'parapet/engine';
import type { Judge } from '../accuracy/judges/judge.js';
import { disguised, DISGUISES } from './disguises.js';
import { flaggedShare, judgeAll } from './judging.js';
import type { LabelledTexts } from './labelled-texts.js';
import { createRandom, partOf, sample } from './random.js';

export interface FlagRates {
  /** Share of the toxic texts that do not pass. */
  readonly recall: number;
  /** Share of the harmless texts that do not pass. */
  readonly falseAlarms: number;
}

export interface DisguiseFigures extends FlagRates {
  readonly disguise: string;
}

const DISGUISED_TEXTS = 500;
/** A disguise is about words: longer texts would say more about windows. */
const DISGUISED_CHARACTERS = { least: 20, most: 500 };

/**
 * @param seed which texts are drawn, and what is done to them
 * @param share how many are drawn, of as many as there would be
 * @throws OperatorError when there is no text of a suitable length
 */
export async function measureDisguises(
  judge: Judge,
  texts: LabelledTexts,
  seed: number,
  share = 1,
): Promise<DisguiseFigures[]> {
  const suits = ({ length }: string): boolean =>
    length >= DISGUISED_CHARACTERS.least && length <= DISGUISED_CHARACTERS.most;
  const random = createRandom(seed);
  const count = partOf(DISGUISED_TEXTS, share);
  const toxic = sample(texts.toxic.filter(suits), count, random);
  const harmless = sample(texts.harmless.filter(suits), count, random);
  if (toxic.length === 0 || harmless.length === 0) {
    const { least, most } = DISGUISED_CHARACTERS;
    throw new OperatorError(
      `There is no ${toxic.length === 0 ? 'toxic' : 'harmless'} text of ${least} to ${most} characters to disguise. --only leaves a part out; see --help.`,
    );
  }
  const figures: DisguiseFigures[] = [{ disguise: 'none', ...(await ratesOf(judge, { toxic, harmless })) }];
  for (const disguise of DISGUISES) {
    const dress = (text: string): string => disguised(text, disguise, random);
    const rates = await ratesOf(judge, { toxic: toxic.map(dress), harmless: harmless.map(dress) });
    figures.push({ disguise: disguise.name, ...rates });
  }
  return figures;
}

async function ratesOf(judge: Judge, texts: LabelledTexts): Promise<FlagRates> {
  return {
    recall: flaggedShare(await judgeAll(judge, texts.toxic)),
    falseAlarms: flaggedShare(await judgeAll(judge, texts.harmless)),
  };
}
