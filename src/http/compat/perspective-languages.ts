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
const LETTER = /\p{L}/gu;

/** Whether a language tag (BCP 47, or with an underscore) is of English. */
export function isEnglish(tag: string): boolean {
  return /^en(?:$|[-_])/i.test(tag);
}

/** The language of a text that cannot be read, as a BCP 47 tag with the script of most of its letters: `und-Cyrl`. */
export function unknownLanguageOf(text: string): string {
  const script = foreignScriptOf(text);
  return script === undefined ? 'und' : `und-${script}`;
}

/** @returns the script of a text where most letters are of another than Latin */
function foreignScriptOf(text: string): string | undefined {
  const letters = count(text, LETTER);
  let foreign = 0;
  let most: readonly [string | undefined, number] = [undefined, 0];
  for (const [script, pattern] of SCRIPTS) {
    const found = count(text, pattern);
    foreign += found;
    if (found > most[1]) most = [script, found];
  }
  return foreign * 2 > letters ? most[0] : undefined;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
