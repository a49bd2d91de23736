/**
 * Takes markup out of a text, as a browser, a forum or a chat would. What it holds beside its names is read behind the text, so that nothing
 * can be said in a place that nobody reads.
 */
import { decodeHTML } from 'entities/decode';
import { PlacedText } from '../placed-text.js';
import { isKnownWord } from '../words/familiar-words.js';
import { type Construct, constructsOf, isJoinedWord } from './html.js';

const REFERENCE = /&(?:#(?:\d+|x[\da-f]+)|[a-z][a-z\d]{1,31});?/giu;
const REPLACEMENT_CHARACTER = '\uFFFD';
/** Without its semicolon a name may be a word of a sentence or of an address, unless it shows nothing, a space, a sign of HTML or an accent. */
const READ_WITHOUT_SEMICOLON = /^(?:[\p{Z}\p{Cf}<>&"]|[A-Za-z]\p{M})/u;

/** Of forums (BBCode), where it is closed: "[i]" alone may be a letter. */
const FORUM_TAG = /\[\/?([a-z]{1,15})(?:=([^[\]]*))?\]/giu;
const FORUM_END = /\[\/([a-z]{1,15})\]/giu;
const BRACKETED = '\\[\\/?[a-z][a-z\\d]{0,14}(?:=[^\\s[\\]]{0,200})?\\]';
const BRACKETED_WITHIN_WORD = new RegExp(`(?<!\\p{L})\\p{L}+(?:(?:${BRACKETED})+\\p{L}+)+`, 'giu');
const IN_BRACKETS = new RegExp(BRACKETED, 'giu');
/** Shorter ones may be letters of the word that they stand in. */
const LONG_IN_BRACKETS = /\[\/?[a-z]{4}/iu;
const BRACKETS = /[[\]]/gu;

/** Of a chat: what stands between two is shown when it is clicked. */
const SPOILER_MARK = /\|\|/gu;
const SPOILED_WORD = /(?<!\p{L})(?:\|\|)?\p{L}+(?:\|\|\p{L}+)+(?:\|\|)?/gu;

/** Unicode's tag characters, which nobody sees, carry ASCII; behind a black flag they say whose flag it is. */
const UNSEEN_LETTERS = /(\u{1F3F4}?)[\u{E0020}-\u{E007E}]+/gu;
const UNSEEN_LETTER = /./gsu;
const FIRST_TAG = 0xe0000;

/** Each with what any such markup has. */
const KINDS: readonly (readonly [sign: string, take: (text: PlacedText, held: PlacedText[]) => PlacedText])[] = [
  ['\uDB40', withoutUnseenLetters],
  ['<', withoutTags],
  ['[', withoutForumTags],
  ['||', withoutSpoilers],
];

export function withoutMarkup(placed: PlacedText): PlacedText {
  const held: PlacedText[] = [];
  let shown = placed;
  for (const [sign, take] of KINDS) if (shown.text.includes(sign)) shown = take(shown, held);
  if (held.length > 0) shown = PlacedText.join([shown, ...held], '\n');
  // Only now: what a reference stands for is part of no tag.
  return shown.text.includes('&') ? shown.replace(REFERENCE, readReference) : shown;
}

function withoutUnseenLetters(placed: PlacedText, held: PlacedText[]): PlacedText {
  return placed.replace(UNSEEN_LETTERS, (run, at, [flag]) => {
    if (flag !== '') return run;
    held.push(placed.slice(at, at + run.length).replace(UNSEEN_LETTER, carriedLetter));
    return '';
  });
}

function carriedLetter(tag: string): string {
  return String.fromCodePoint((tag.codePointAt(0) ?? FIRST_TAG) - FIRST_TAG);
}

function withoutTags(placed: PlacedText, held: PlacedText[]): PlacedText {
  const constructs = constructsOf(placed.text);
  if (constructs.length === 0) return placed;
  const pieces: [string, string][] = [];
  let until = 0;
  for (const construct of constructs) {
    const { start, end, partsWords } = construct;
    const between = placed.text.slice(until, start);
    pieces.push([between, between], [placed.text.slice(start, end), partsWords ? ' ' : '']);
    const said = saidIn(placed, construct);
    if (said !== undefined) held.push(said);
    until = end;
  }
  const rest = placed.text.slice(until);
  return placed.rewrite([...pieces, [rest, rest]]);
}

function saidIn(placed: PlacedText, { start: tag, inside }: Construct): PlacedText | undefined {
  // "&lt;b&gt;" is shown, its name too.
  const isReference = placed.placeOf(tag + 1, 'end') - placed.placeOf(tag, 'start') > 1;
  const from = isReference ? tag + 1 : inside.start;
  const written = placed.text.slice(from, inside.end);
  const said = written.trim().replace(/^[/?!]+$/u, '');
  if (said === '') return undefined;
  const start = from + written.indexOf(said);
  return placed.slice(start, start + said.length);
}

function withoutForumTags(placed: PlacedText, held: PlacedText[]): PlacedText {
  const closed = new Set(Array.from(placed.text.matchAll(FORUM_END), ([, name]) => name?.toLowerCase()));
  const untagged = placed.replace(FORUM_TAG, (tag, at, [name, value]) => {
    if (!closed.has(name?.toLowerCase())) return tag;
    if (value !== undefined) {
      const end = at + tag.lastIndexOf(']');
      held.push(placed.slice(end - value.length, end));
    }
    return '';
  });
  return untagged.replace(BRACKETED_WITHIN_WORD, (word, at) => {
    if (!isPartedByBrackets(word)) return word;
    return new PlacedText(word).replace(IN_BRACKETS, (tag, start) => {
      held.push(untagged.slice(at + start + 1, at + start + tag.length - 1));
      return '';
    });
  });
}

function isPartedByBrackets(word: string): boolean {
  // A type of Go: "map[string]int".
  if (word.startsWith('map[') || isKnownWord(word.replace(BRACKETS, ''))) return false;
  return LONG_IN_BRACKETS.test(word) || isJoinedWord(word.replace(IN_BRACKETS, ''));
}

function withoutSpoilers(placed: PlacedText): PlacedText {
  return placed.replace(SPOILED_WORD, (run) => {
    const word = new PlacedText(run).replace(SPOILER_MARK, '');
    return isJoinedWord(word.text) ? word : run;
  });
}

function readReference(reference: string): string {
  const read = decodeHTML(reference);
  if (read === REPLACEMENT_CHARACTER) return reference;
  const isWhole = reference.endsWith(';') || reference.startsWith('&#');
  if (!isWhole && !READ_WITHOUT_SEMICOLON.test(read.normalize('NFD'))) return reference;
  return read.replace(/^\p{Zs}/u, ' ');
}
