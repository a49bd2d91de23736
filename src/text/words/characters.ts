/**
 * What letters, words and sentences are made of, by Unicode's properties: the one place that says so. A name in capitals that is a string is
 * for regular expressions. Knows no word and no language.
 */

export const LETTER = /\p{L}/u;
export const LETTERS = /\p{L}/gu;
export const NOT_LETTERS = /[^\p{L}\p{M}]+/gu;

/** Of the alphabets that have signs for them; of a letter with an accent, its first character in NFD. */
export const VOWEL = /[aeiouyæøœаеёиоуыэюяіїєαεηιουω]/iu;

/** A token of letters, which are the first group, and marks around them. */
export const LETTERS_ALONE = /^\p{P}*([\p{L}\p{M}]+)\p{P}*$/u;

/** What stands between whitespace. */
export const TOKENS = /\S+/gu;

/** Within a set: what a word begins with. */
export const BEGINS_WORD = '\\p{L}\\p{N}';
/** Within a set: what words are made of. Where none of it stands, a word begins or ends. */
export const IN_WORD = `${BEGINS_WORD}\\p{M}`;

/** A set: the scripts whose words no space parts, so that a long word is no noise in them, and a sign between two words hides neither. */
export const UNSPACED =
  '[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Bopo}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}\\p{sc=Tibt}ー]';

/** Marks that end a sentence where whitespace or the end of the text follows. */
export const SENTENCE_MARKS = '.!?…‽؟۔।॥։።။';
/** Marks of scripts without spaces, which end a sentence anywhere. */
export const UNSPACED_SENTENCE_MARKS = '。！？｡';
