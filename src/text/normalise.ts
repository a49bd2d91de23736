/** Undoes the disguises of a text, so that the model reads what a person reads. Decides nothing, and knows nothing of labels. */
import { spellOutAbbreviations } from './disguises/abbreviations.js';
import { joinBrokenWords } from './disguises/broken-words.js';
import { plainCharacters } from './disguises/character-forms.js';
import { foldConfusables } from './disguises/confusables.js';
import { revealDisguisedWords } from './disguises/disguised-words.js';
import { readLeetspeakTexts } from './disguises/leetspeak-texts.js';
import { withoutMarkup } from './disguises/markup.js';
import { readPicturedLetters } from './disguises/pictured-letters.js';
import { joinSpacedLetters } from './disguises/spaced-letters.js';
import { shortenStretchedWords } from './disguises/stretched-letters.js';
import { partSymbols } from './disguises/symbols.js';
import { PlacedText } from './placed-text.js';

/** Undoes one kind of disguise; gives a text that has none of it back as it is. */
export type Step = (text: PlacedText) => PlacedText;

/** In the order in which they are taken: characters first, then words. */
export const STEPS: readonly Step[] = [
  withoutMarkup,
  plainCharacters,
  foldConfusables,
  readPicturedLetters,
  joinSpacedLetters,
  joinBrokenWords,
  readLeetspeakTexts,
  revealDisguisedWords,
  shortenStretchedWords,
  partSymbols,
  breakLongWords,
  spellOutAbbreviations,
];

// One disguise can hide another ("f . ս . ¢ . к"): passes repeat until nothing changes. Real texts settle after two; the
// bound keeps the time linear whatever the text.
const MAX_PASSES = 5;

/**
 * The text with disguises undone: HTML, invisible and combining characters removed, styled and look-alike letters folded to Latin,
 * leetspeak, masks, spaced-out and stretched letters read, symbols parted from words, abbreviated death wishes written out. Ordinary text
 * of any language comes back unchanged.
 *
 * Pure, never throws (any sequence of UTF-16 units will do), takes time linear in the length of the text.
 */
export function normalise(text: string, steps = STEPS): string {
  return undisguise(new PlacedText(text), steps).text;
}

/** As `normalise`, with its places. */
export function undisguise(sent: PlacedText, steps = STEPS): PlacedText {
  let copy = sent;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const next = steps.reduce((text, step) => step(text), copy);
    if (next.text === copy.text) break;
    copy = next;
  }
  return copy;
}

// WordPiece turns a longer word into a single unknown token, in which anything could hide.
const LONGEST_TOKENIZED_WORD = 100;
const BROKEN_WORD_LENGTH = 50;

// What BERT's pre-tokenizer makes a token of its own: Unicode punctuation, and every ASCII symbol.
const PUNCTUATION = '\\p{P}!-/:-@\\[-`{-~';
// Chinese characters are tokens of their own too (handle_chinese_chars of BertNormalizer), so they make no long words. Those beyond
// U+FFFF are not: @huggingface/tokenizers looks at UTF-16 units.
const IDEOGRAPHS = '\\u3400-\\u4DBF\\u4E00-\\u9FFF\\uF900-\\uFAFF';
const TOKENIZED_WORD = new RegExp(`[^\\s${PUNCTUATION}${IDEOGRAPHS}\\p{Emoji_Presentation}]+`, 'gu');
// In UTF-16 units, as `length` counts.
const LONG_WORD = new RegExp(`\\S{${LONGEST_TOKENIZED_WORD + 1}}`);
const WORD_PART = new RegExp(`.{1,${BROKEN_WORD_LENGTH}}`, 'gsu');

function breakLongWords(placed: PlacedText): PlacedText {
  if (!LONG_WORD.test(placed.text)) return placed;
  return placed.replace(TOKENIZED_WORD, (word) => {
    if (word.length <= LONGEST_TOKENIZED_WORD) return word;
    const parts = word.match(WORD_PART) ?? [];
    return new PlacedText(word).rewrite(
      parts.flatMap((part, index): [string, string][] => [
        ['', index === 0 ? '' : ' '],
        [part, part],
      ]),
    );
  });
}
