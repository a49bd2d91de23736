/**
 * Whether a text can be judged by a model of English. Looks at scripts alone: a guess at the language of a short text is wrong too
 * often, and would refuse comments that can be judged well. docs/decisions/0025 has the reasons.
 */
import { deobfuscate } from '../../text/normalise.js';

/** A BCP 47 tag: English, or the script of a text that is not (`und-Cyrl`). */
export type DetectedLanguage = 'en' | `und-${string}`;

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

/** @returns the script where most letters are of another than Latin, and stay so when look-alike letters are undone */
export function detectLanguage(text: string): DetectedLanguage {
  const script = foreignScriptOf(text);
  // English written in letters of another script is a disguise, which the analyzer sees through.
  if (script === undefined || foreignScriptOf(deobfuscate(text)) === undefined) return 'en';
  return `und-${script}`;
}

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
