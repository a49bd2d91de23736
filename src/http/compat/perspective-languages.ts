/**
 * Names languages as the Perspective API does. Of a text in a language that the model does not know only the script is told: docs/decisions/0025
 * has the reasons. Whether a text can be read is for the verdict to say.
 */
import { OTHER_LANGUAGE, type TextLanguage } from '../../moderation/pooling.js';

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

const UNDETERMINED = 'und';

/** Whether a tag of a request (BCP 47, or with an underscore) is of one of the languages: `en-GB` is of `en`. */
export function isOneOf(languages: readonly string[], tag: string): boolean {
  const asked = tag.toLowerCase().replaceAll('_', '-');
  return languages.map((language) => language.toLowerCase()).some((language) => `${asked}-`.startsWith(`${language}-`));
}

/** The language of a text that was read. A model that knows one language takes every text for it. */
export function detectedLanguageOf(
  language: TextLanguage | undefined,
  [only = UNDETERMINED]: readonly string[],
): string {
  if (language === undefined) return only;
  return language.tag === OTHER_LANGUAGE ? UNDETERMINED : language.tag;
}

/** The language of a text that cannot be read, as a BCP 47 tag with the script that it has the most letters of: `und-Cyrl`. */
export function unknownLanguageOf(text: string): string {
  let language = UNDETERMINED;
  let most = 0;
  for (const [script, pattern] of SCRIPTS) {
    const found = text.match(pattern)?.length ?? 0;
    if (found <= most) continue;
    language = `${UNDETERMINED}-${script}`;
    most = found;
  }
  return language;
}
