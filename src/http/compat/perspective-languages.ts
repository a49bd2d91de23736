/**
 * Names languages as the Perspective API does. Of a text in a language that the model does not know only the script is told: docs/decisions/0025
 * has the reasons. Whether a text can be read is for the verdict to say.
 */
import { OTHER_LANGUAGE, type TextLanguage } from '../../moderation/pooling.js';

/** By their codes of ISO 15924. */
const SCRIPTS = [
  ...['Arab', 'Armn', 'Beng', 'Cyrl', 'Deva', 'Ethi', 'Geor', 'Grek', 'Gujr', 'Guru', 'Hang', 'Hani', 'Hebr'],
  ...['Hira', 'Kana', 'Khmr', 'Knda', 'Laoo', 'Mlym', 'Mymr', 'Sinh', 'Taml', 'Telu', 'Thai'],
].map((script) => ({ script, letters: new RegExp(`\\p{Script=${script}}`, 'gu') }));

const UNDETERMINED = 'und';

/** Whether a tag of a request (BCP 47, or with an underscore) is of one of the languages: `en-GB` is of `en`. */
export function isOneOf(languages: readonly string[], tag: string): boolean {
  const asked = tag.toLowerCase().replaceAll('_', '-');
  return languages.map((language) => language.toLowerCase()).some((language) => `${asked}-`.startsWith(`${language}-`));
}

/** The language of a text that was read, where it was detected. A model that knows one language takes every text for it. */
export function detectedLanguageOf(
  language: TextLanguage | undefined,
  [first = UNDETERMINED, ...others]: readonly string[],
): string {
  if (language === undefined) return others.length === 0 ? first : UNDETERMINED;
  return language.tag === OTHER_LANGUAGE ? UNDETERMINED : language.tag;
}

/** The language of a text that cannot be read, as a BCP 47 tag with the script that it has the most letters of: `und-Cyrl`. */
export function unknownLanguageOf(text: string): string {
  let language = UNDETERMINED;
  let most = 0;
  for (const { script, letters } of SCRIPTS) {
    const found = text.match(letters)?.length ?? 0;
    if (found <= most) continue;
    language = `${UNDETERMINED}-${script}`;
    most = found;
  }
  return language;
}
