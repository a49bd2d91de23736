/**
 * Undoes disguises that sit in single characters: invisible characters, stacked marks, styled and reordered letters. Knows
 * characters and nothing of words. Typography that plain text uses (… ™ ½ “ ” — ² and accents) stays as it is.
 */

/** The text with every character in its plain form; a text without such disguises comes back unchanged. */
export function plainCharacters(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  return withFewMarks(text)
    .replace(RIGHT_TO_LEFT_OVERRIDE, (_, reversed: string) => Array.from(reversed).reverse().join(''))
    .replace(REGIONAL_INDICATORS, lettersUnlessFlags)
    .replace(FULLWIDTH_SIGN_IN_WORD, (sign) => sign.normalize('NFKC'))
    .replace(BEYOND_LATIN_1, plainForm)
    .replace(EMOJI_OR_INVISIBLE, (_, emoji: string | undefined) => emoji ?? '')
    .replace(STRAY_MARKS, '')
    .normalize('NFC');
}

/**
 * No letter of any script carries more marks than that: putting thousands in order, as normalising does, takes time that grows with
 * their square (UAX #15, section 13, has the same limit for its Stream-Safe Text Format).
 */
function withFewMarks(text: string): string {
  return text.replace(TOO_MANY_MARKS, '$1');
}

const TOO_MANY_MARKS = /(\p{M}{30})\p{M}+/gu;
const PRINTABLE_ASCII = /^[\t\n\r -~]*$/;
// Elsewhere fullwidth punctuation is that of Chinese and Japanese text.
const FULLWIDTH_SIGN_IN_WORD = /(?<=[A-Za-z\uFF21-\uFF5A])[！＠＄＋｜＊](?=[A-Za-z\uFF21-\uFF5A！＠＄＋｜＊])/gu;
const BEYOND_LATIN_1 = /[^\0-\u00FF]/gu;

// Between U+202E and the end of its reach, readers see the characters in reverse: "\u202Etoidi" reads "idiot".
const RIGHT_TO_LEFT_OVERRIDE = /\u202E([^\u202A-\u202E\u2066-\u2069\n\r]*)/gu;

// Emoji sequences and keycaps need their joiners and selectors; everywhere else such characters only hide letters from a matcher.
// Lone surrogates, private-use characters and U+FFFD go too: the tokenizer drops them, and "f\uD800uck" must not hide from us.
const EMOJI_OR_INVISIBLE =
  /(\p{ExtPict}\p{EMod}?\uFE0F?(?:\u200D\p{ExtPict}\p{EMod}?\uFE0F?)*|[0-9#*]\uFE0F?\u20E3)|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{DI}\uFFFD]|\u20E3/gu;

// Marks are part of the spelling in Arabic, Hebrew, Devanagari, Thai and others; after Latin, Greek and Cyrillic letters, digits
// and symbols they are decoration. Accents of ordinary text are mostly precomposed, and the tokenizer drops them anyway. That there is
// a mark comes first: what stands before each character of a text would take long to look at.
const STRAY_MARKS =
  /(?=\p{M})(?<!(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{L}|\p{M})(?:(?![\uFE0F\u20E3])\p{M})+/gu;

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

/** First code point and letter of 26 consecutive letters that NFKC leaves alone or puts in parentheses. */
const STYLED_ALPHABETS: readonly (readonly [number, 'A' | 'a'])[] = [
  [0x249c, 'a'], // parenthesised
  [0x24b6, 'A'], // circled
  [0x24d0, 'a'],
  [0x1f110, 'A'], // parenthesised
  [0x1f130, 'A'], // squared
  [0x1f150, 'A'], // negative circled
  [0x1f170, 'A'], // negative squared
];
const BRAILLE_BLANK = '\u2800';
// NFKC would turn Korean laughter (ㅋㅋ) into conjoining jamo and ℹ into a letter; the Greek symbols belong to confusables.ts.
const KEPT_FROM_NFKC = /^[\u3131-\u318E\u2139\u03D0-\u03D6\u03F0-\u03F5]$/;
const LETTER_OR_DIGIT = /^[\p{L}\p{Nl}\p{Nd}]$/u;
// Not with marks: Thai ำ is one letter, which NFKC would take apart.
const LETTERS_AND_DIGITS = /^[\p{L}\p{Nd}]+$/u;

function plainForm(character: string): string {
  if (character === BRAILLE_BLANK) return ' ';
  const codePoint = character.codePointAt(0) ?? 0;
  for (const [first, letter] of STYLED_ALPHABETS) {
    if (codePoint >= first && codePoint < first + 26) {
      return String.fromCharCode(letter.charCodeAt(0) + codePoint - first);
    }
  }
  if (!LETTER_OR_DIGIT.test(character) || KEPT_FROM_NFKC.test(character)) return character;
  const plain = character.normalize('NFKC');
  return LETTERS_AND_DIGITS.test(plain) ? plain : character;
}
