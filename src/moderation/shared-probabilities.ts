/** What servers tell each other of a text: its probabilities as a row of numbers, never the text, nor where in it something stands. */
import type { Manifest } from '../inference/manifest.js';
import { OTHER_LANGUAGE, type TextProbabilities } from './pooling.js';

/** By a hash of the text and the version of the model. */
export interface SharedProbabilities {
  /** Undefined where no server has told, or nobody answers in time. Never rejects. */
  get(key: string): Promise<readonly number[] | undefined>;
  /** Does not wait, and may be lost. */
  set(key: string, numbers: readonly number[]): void;
}

/** What is told. */
export interface KnownText {
  readonly probabilities: TextProbabilities;
  /** From 0 to 1; undefined without letters. */
  readonly foreignLetters: number | undefined;
  readonly sequences: number;
}

export interface NumbersOfText {
  write(text: KnownText): readonly number[];
  /** @returns undefined for what `write` does not make: whoever else writes there is not believed */
  read(numbers: readonly number[]): KnownText | undefined;
}

const NONE = -1;

/** The order is that of the manifest. */
export function createNumbersOfText({ labels, sentiments, languages }: Manifest): NumbersOfText {
  const tags = [...languages, OTHER_LANGUAGE];
  return {
    write: ({ probabilities, foreignLetters = NONE, sequences }) => [
      sequences,
      foreignLetters,
      probabilities.language === undefined ? NONE : tags.indexOf(probabilities.language.tag),
      probabilities.language?.probability ?? 0,
      probabilities.unread,
      ...labels.map((label) => probabilities.labels.get(label) ?? 0),
      ...sentiments.map((sentiment) => probabilities.sentiments.get(sentiment) ?? 0),
    ],

    read(numbers) {
      const [sequences = 0, foreignLetters = NONE, language = NONE, ...shares] = numbers;
      const [probability = 0, unread = 0, ...rest] = shares;
      const tag = tags[language];
      const isWhole =
        rest.length === labels.length + sentiments.length &&
        shares.every((share) => share >= 0 && share <= 1) &&
        Number.isInteger(sequences) &&
        sequences > 0 &&
        (foreignLetters === NONE || (foreignLetters >= 0 && foreignLetters <= 1)) &&
        (language === NONE || tag !== undefined);
      if (!isWhole) return undefined;
      return {
        sequences,
        foreignLetters: foreignLetters === NONE ? undefined : foreignLetters,
        probabilities: {
          labels: new Map(labels.map((label, index) => [label, rest[index] ?? 0])),
          sentiments: new Map(sentiments.map((sentiment, index) => [sentiment, rest[labels.length + index] ?? 0])),
          unread,
          ...(tag !== undefined && { language: { tag, probability } }),
        },
      };
    },
  };
}
