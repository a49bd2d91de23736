/**
 * Names languages as the Perspective API does. Of a text in another script only that is known: a guess at the language of a short text
 * is wrong too often. docs/decisions/0025 has the reasons. Whether a text can be read is for the verdict to say.
 */

/** Scripts by their codes of ISO 15924. */
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['Arab', /\p{Script=Arabic}/gu],
  ['Armn', /\p{Script=Armenian}/gu],
  ['Beng', /\p{Script=Bengali}/gu],
  ['Cyrl', /\p{Script=Cyrillic}/gu],
  ['Deva', /\p{Script=Devanagari}/gu],
  ['Ethi', /\p{Script=Ethiopic}/gu],
  ['Geor', /\p{Script=Georgian}/gu],
  ['Grek', /\p{Script=Greek}/gu],
  ['Gujr', /\p{Script=Gujarati}/gu],
  ['Guru', /\p{Script=Gurmukhi}/gu],
  ['Hang', /\p{Script=Hangul}/gu],
  ['Hani', /\p{Script=Han}/gu],
  ['Hebr', /\p{Script=Hebrew}/gu],
  ['Hira', /\p{Script=Hiragana}/gu],
  ['Kana', /\p{Script=Katakana}/gu],
  ['Khmr', /\p{Script=Khmer}/gu],
  ['Knda', /\p{Script=Kannada}/gu],
  ['Laoo', /\p{Script=Lao}/gu],
  ['Mlym', /\p{Script=Malayalam}/gu],
  ['Mymr', /\p{Script=Myanmar}/gu],
  ['Sinh', /\p{Script=Sinhala}/gu],
  ['Taml', /\p{Script=Tamil}/gu],
  ['Telu', /\p{Script=Telugu}/gu],
  ['Thai', /\p{Script=Thai}/gu],
];

/** Whether a language tag (BCP 47, or with an underscore) is of English. */
export function isEnglish(tag: string): boolean {
  return /^en(?:$|[-_])/i.test(tag);
}

/** The language of a text that cannot be read, as a BCP 47 tag with the script that it has the most letters of: `und-Cyrl`. */
export function unknownLanguageOf(text: string): string {
  let language = 'und';
  let most = 0;
  for (const [script, pattern] of SCRIPTS) {
    const found = text.match(pattern)?.length ?? 0;
    if (found <= most) continue;
    language = `und-${script}`;
    most = found;
  }
  return language;
}
