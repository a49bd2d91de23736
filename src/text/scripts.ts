/**
 * Which scripts a text is in: where it goes on in another one, since a name or a term of it belongs to the sentence around it and several words do
 * not, and how much of it is in scripts that a model does not know. What that means for the verdict is for verdict.ts to say.
 */
import { LETTER, LETTERS, UNSPACED } from './words/characters.js';

/** By names of Unicode's property Script. Japanese mixes several, and Chinese uses one of them: these are one here. */
const SCRIPTS = [
  ...['Latn', 'Cyrl', 'Grek', 'Arab', 'Hebr', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym'],
  ...['Sinh', 'Thai', 'Laoo', 'Mymr', 'Khmr', 'Tibt', 'Geor', 'Armn', 'Ethi', 'Hang', 'Hani Hira Kana Bopo'],
].map((names) => names.replace(/(\w+) ?/g, '\\p{sc=$1}'));
const OF_NO_SCRIPT = '\\p{sc=Zyyy}\\p{sc=Zinh}';

const SCRIPTED = new RegExp(`[^${OF_NO_SCRIPT}]`, 'u');
const OTHERWISE_SCRIPTED = SCRIPTS.map((letters) => new RegExp(`[^${letters}${OF_NO_SCRIPT}]`, 'u'));
const LETTER_OF = SCRIPTS.map((letters) => new RegExp(`[${letters}]`, 'u'));

/** Names of accounts and addresses are words of no script. A capture for each script; marks and apostrophes are part of a word. */
const WORDS = new RegExp(
  ['[@#]\\S+|https?:\\S+|www\\.\\S+', ...SCRIPTS.map((letters) => `((?:[${letters}][\\p{sc=Zinh}'’ー_]*)+)`)].join('|'),
  'gu',
);

/** An ordinary sentence holds names and terms of a word or two in another script. */
const SEVERAL = 3;
/** No space parts the words of some scripts: there, so many letters are a word. */
const LETTERS_OF_WORD = 2;
const STARTS_UNSPACED = new RegExp(`^${UNSPACED}`, 'u');

/** Words of one script, with nothing of another between them. */
interface Run {
  readonly script: number;
  readonly start: number;
  words: number;
}

/** Offsets into a sentence, in ascending order, none of them 0. Takes time linear in its length. */
export function bordersOfScripts(sentence: string): number[] {
  if (!mixesLetters(sentence)) return [];
  const borders: number[] = [];
  let wordsBefore = 0;
  let scriptBefore: number | undefined;
  for (const { script: next, words, start } of runsOf(sentence)) {
    if (next !== scriptBefore && words >= SEVERAL) {
      if (wordsBefore >= SEVERAL) borders.push(start);
      [scriptBefore, wordsBefore] = [next, words];
    } else {
      scriptBefore ??= next;
      wordsBefore += words;
    }
  }
  return borders;
}

/** Whether the segments of a text are of more than one script, each with several words of it. */
export function inSeveralScripts(text: string, segments: readonly { start: number; end: number }[]): boolean {
  if (segments.length < 2 || !mixesLetters(text)) return false;
  const scripts = segments.flatMap(({ start, end }) =>
    runsOf(text.slice(start, end)).flatMap(({ script, words }) => (words >= SEVERAL ? [script] : [])),
  );
  return new Set(scripts).size > 1;
}

/** Of any number of words: what most texts do not, so that no more is asked of them. */
function mixesLetters(text: string): boolean {
  const first = SCRIPTED.exec(text)?.[0] ?? '';
  const script = LETTER_OF.findIndex((letter) => letter.test(first));
  return OTHERWISE_SCRIPTED[script]?.test(text) === true;
}

function runsOf(sentence: string): Run[] {
  const runs: Run[] = [];
  let end = 0;
  let wasUnspaced = true;
  for (const match of sentence.matchAll(WORDS)) {
    const { 0: word, index } = match;
    const script = match.slice(1).findIndex(Boolean);
    const last = runs.at(-1);
    const isUnspaced = STARTS_UNSPACED.test(word);
    // A word of two scripts has look-alikes in it.
    const endsWord = index === end && !isUnspaced && !wasUnspaced;
    if (script >= 0 && !endsWord) {
      const words = isUnspaced ? word.length / LETTERS_OF_WORD : 1;
      if (last?.script === script) last.words += words;
      else runs.push({ script, words, start: end + startOfRun(sentence.slice(end, index)) });
    }
    end = index + word.length;
    wasUnspaced = isUnspaced;
  }
  return runs;
}

const LAST_WHITESPACE = /\s(?=\S*$)/u;
const OPENING = /[\p{Ps}\p{Pi}"¿¡]/u;

/** Where in what stands between two runs the second begins: numbers, quotes and brackets before its first word are part of it. */
function startOfRun(between: string): number {
  const space = between.search(LAST_WHITESPACE);
  if (space !== -1) return space;
  const opening = between.search(OPENING);
  return opening === -1 ? between.length : opening;
}

/** From 0 to 1; undefined for a text without letters. Pure, takes time linear in the length of the text. */
export type ForeignLetterShare = (text: string) => number | undefined;

/**
 * The share of a text's letters that are of none of the scripts. Give it the text with disguises undone: letters of another script
 * that stand in for known ones are Latin there.
 *
 * A letter that several scripts use (Script_Extensions, UAX #24) is known where one of them is; one that all use (`µ`, `ℵ`) always is.
 *
 * @param scripts names of Unicode's property Script, as in `Latin`
 */
export function foreignLetterShare(scripts: readonly string[]): ForeignLetterShare {
  const known = ['Common', ...scripts].map((script) => `\\p{Script_Extensions=${script}}`).join('');
  const foreignLetter = new RegExp(`(?![${known}])\\p{L}`, 'gu');
  return (text) => {
    const foreign = text.match(foreignLetter)?.length ?? 0;
    if (foreign === 0) return LETTER.test(text) ? 0 : undefined;
    return foreign / (text.match(LETTERS)?.length ?? foreign);
  };
}
