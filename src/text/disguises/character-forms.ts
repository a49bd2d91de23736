/**
 * Undoes disguises that sit in single characters: invisible characters, stacked marks, styled and reordered letters. Typography that
 * plain text uses (… ™ ½ “ ” — ² and accents) stays as it is.
 */
import { isFamiliarWord } from '../words/familiar-words.js';
import { PlacedText, type Rewriting } from '../placed-text.js';
import { SYMBOL } from './symbols.js';

/** The text with every character in its plain form; a text without such disguises comes back unchanged. */
export function plainCharacters(placed: PlacedText): PlacedText {
  if (PRINTABLE_ASCII.test(placed.text)) return placed;
  const visible = placed
    .replace(TOO_MANY_MARKS, (_, __, [kept = '']) => kept)
    .replace(RIGHT_TO_LEFT_OVERRIDE, (_, __, [reversed = '']) => Array.from(reversed).reverse().join(''))
    .replace(REGIONAL_INDICATORS, lettersUnlessFlags)
    .replace(FULLWIDTH_SIGN_IN_WORD, (sign) => sign.normalize('NFKC'))
    .replace(BLANK, ' ');
  // No character of a text in NFKC has another form.
  const plain = visible.text.normalize('NFKC') === visible.text ? visible : visible.replace(BEYOND_LATIN_1, plainForm);
  return plain
    .replace(EMOJI_OR_INVISIBLE, (_, __, [kept]) => kept ?? '')
    .normalize('NFC')
    .replace(STRAY_MARKS, '')
    .replace(MARKED_WORD, withoutDecoration);
}

/**
 * No letter of any script carries more marks than that: putting thousands in order, as normalising does, takes time that grows with
 * their square (UAX #15, section 13, has the same limit for its Stream-Safe Text Format).
 */
const TOO_MANY_MARKS = /(\p{M}{30})\p{M}+/gu;
const PRINTABLE_ASCII = /^[\t\n\r -~]*$/;
// Elsewhere fullwidth punctuation is that of Chinese and Japanese text.
const FULLWIDTH_SIGN_IN_WORD = /(?<=[A-Za-z\uFF21-\uFF5A])[！＠＄＋｜＊](?=[A-Za-z\uFF21-\uFF5A！＠＄＋｜＊])/gu;
const BEYOND_LATIN_1 = /[^\0-\u00FF]/gu;

// Between U+202E and the end of its reach, readers see the characters in reverse: "\u202Etoidi" reads "idiot".
const RIGHT_TO_LEFT_OVERRIDE = /\u202E([^\u202A-\u202E\u2066-\u2069\n\r]*)/gu;

// Hangul fillers and an empty Braille pattern, which are drawn as a space.
const BLANK = /[\u115F\u1160\u3164\uFFA0\u2800]/gu;

// Emoji sequences and keycaps need their joiners and selectors, and so do words of Persian, Hindi and others; everywhere else such
// characters only hide letters from a matcher. Lone surrogates and U+FFFD go too: the tokenizer drops them, and "f\uD800uck" must not hide
// from us.
const EMOJI_OR_INVISIBLE =
  /(\p{ExtPict}\p{EMod}?\uFE0F?(?:\u200D\p{ExtPict}\p{EMod}?\uFE0F?)*|[0-9#*]\uFE0F?\u20E3|(?<=(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\p{L}\p{M}])\p{Join_C})|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Cs}\p{DI}\uFFFD]|\u20E3/gu;

// Marks are part of the spelling in Arabic, Hebrew, Devanagari, Thai and others. That there is a mark comes first: what stands before each
// character of a text would take long to look at.
const MARK = '(?![\\uFE0E\\uFE0F\\u20E3])\\p{M}';
/** Without a letter, those that belong to no script. */
const STRAY_MARKS = new RegExp(
  `(?=\\p{M})(?<![\\p{L}\\p{M}\\p{Nd}])(?:${MARK}(?<=[\\p{scx=Zinh}\\p{scx=Zyyy}\\p{scx=Latn}\\p{scx=Grek}\\p{scx=Cyrl}]))+`,
  'gu',
);
const MARKED_WORD = new RegExp(
  `[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Nd}](?:[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Nd}]|${MARK})*`,
  'gu',
);
const ANY_MARK = /\p{M}/u;
const MARKS = /\p{M}+/gu;
/** The marks of the letters that Unicode has in one piece: what languages write with. */
const ACCENTS = [...new Set(accentedLetters().normalize('NFD').match(/\p{M}/gu) ?? [])].join('');
const SPELT_WITH_ACCENTS = new RegExp(`^(?:\\p{L}[${ACCENTS}]{0,2}|\\p{Nd})+$`, 'u');
const SHORTEST_FAMILIAR = 3;

function accentedLetters(): string {
  const blocks = [
    [0xc0, 0x24f],
    [0x1e00, 0x1eff],
    [0x370, 0x4ff],
  ] as const;
  return blocks
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)))
    .join('');
}

/** Accents that have no letter in one piece (Yoruba ọ́) stay, unless the word is one that people know without them. */
function withoutDecoration(word: string): Rewriting {
  if (!ANY_MARK.test(word)) return word;
  const bare = new PlacedText(word).normalize('NFD').replace(MARKS, '');
  const isFamiliar = bare.text.length >= SHORTEST_FAMILIAR && isFamiliarWord(bare.text);
  return SPELT_WITH_ACCENTS.test(word) && !isFamiliar ? word : bare;
}

const REGIONAL_INDICATORS = /[\u{1F1E6}-\u{1F1FF}]+/gu;
const REGIONAL_INDICATOR_A = 0x1f1e6;
const regionNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Regional indicators are flags where every pair names a region; otherwise somebody writes with them. */
function lettersUnlessFlags(run: string): string {
  const letters = Array.from(run, (indicator) =>
    String.fromCharCode(65 + (indicator.codePointAt(0) ?? 0) - REGIONAL_INDICATOR_A),
  ).join('');
  const pairs = letters.match(/../g) ?? [];
  const areFlags = letters.length % 2 === 0 && pairs.every((pair) => regionNames.of(pair) !== undefined);
  return areFlags ? run : letters;
}

// NFKC would turn Korean laughter (ㅋㅋ) into conjoining jamo and ℹ into a letter; the Greek symbols belong to confusables.ts.
const KEPT_FROM_NFKC = /^[\u3131-\u318E\u2139\u03D0-\u03D6\u03F0-\u03F5]$/;
// Raised letters are for symbols.ts: what they stand for depends on the word.
const LETTER_OR_DIGIT = new RegExp(`^[[\\p{L}\\p{Nl}\\p{Nd}]--${SYMBOL}]$`, 'v');
// Not with marks: Thai ำ is one letter, which NFKC would take apart.
const LETTERS_AND_DIGITS = /^[\p{L}\p{Nd}]+$/u;

function plainForm(character: string): string {
  if (!LETTER_OR_DIGIT.test(character) || KEPT_FROM_NFKC.test(character)) return character;
  const plain = character.normalize('NFKC');
  return LETTERS_AND_DIGITS.test(plain) ? plain : character;
}
