/**
 * Restores single words in which signs stand for letters: finds where in a token a word begins and ends, and has it read by masked-letters.ts.
 * Looks at one token at a time; spaces between letters are for spaced-letters.ts.
 */
import { fits, isFamiliarWord, LONGEST_FAMILIAR_WORD, matchCommonWord } from '../words/familiar-words.js';
import { inCaseOf, leetPattern, maskPattern, readUncommonWord, readUnlistedWord, IN_LEET_WORD } from './leetspeak.js';
import { HAS_SIGN, MASKED_LETTER, partsAreWords, readMaskedWord, readOrdinaryMask } from './masked-letters.js';
import { PlacedText, type Rewriting } from '../placed-text.js';
import { isAddress, isCode } from './protected-tokens.js';
import { remembering } from './remembered-words.js';
import { IN_WORD, LETTER, TOKENS } from '../words/characters.js';

/** Longer ones are no listed word, and trying them symbol by symbol would cost time for nothing. */
const MAX_TOKEN_LENGTH = 64;

/** A word that comes again in a text is looked at once. */
const REMEMBERED = { most: 10_000, longest: MAX_TOKEN_LENGTH };

export function revealDisguisedWords(placed: PlacedText): PlacedText {
  return readEitherWay(placed).replace(TOKENS, remembering(REMEMBERED, revealToken));
}

/** "wh*re", "s*ck" and "g*ys" may be one of these as well as a listed word, and are so far more often. */
const LIKELIER_WORDS: readonly string[] = ['where', 'sick', 'guys'];
const EITHER_WAY = new RegExp(`(?<![${IN_WORD}*#@])(?:wh[*#@]re|s[*#@]ck|g[*#@]ys)(?![${IN_WORD}*#@])`, 'giu');
/** What comes after is a noun, or somebody is called it, or does it. */
const BEFORE_THE_LISTED_WORD =
  /(?:^|[^\p{L}])(?:an?|the|this|that|such|you|your|they|we|fucking|stupid|dirty|little)\s+$/iu;
/** "You guys" and "the guys" are as usual as any: only an insult tells that another word is meant. */
const BEFORE_ANOTHER_NOUN = /(?:^|[^\p{L}])(?:fucking|stupid|dirty|little)\s+$/iu;

/**
 * Who masks a single word in a text masks the one that gives offence; whose masks fall on ordinary words too ("wh*re does this co*e
 * from?") hides any. So there these words are read as the likelier, unless what stands before them speaks for the listed one.
 */
function readEitherWay(placed: PlacedText): PlacedText {
  const { text } = placed;
  if (text.search(EITHER_WAY) === -1 || !hidesOrdinaryWords(text)) return placed;
  return placed.replace(EITHER_WAY, (token, at) => {
    const pattern = maskPattern(token) ?? [];
    const word = LIKELIER_WORDS.find((candidate) => fits(candidate, pattern));
    const before = text.slice(Math.max(0, at - LONGEST_FAMILIAR_WORD), at);
    const isListed = (word === 'guys' ? BEFORE_ANOTHER_NOUN : BEFORE_THE_LISTED_WORD).test(before);
    return word === undefined || isListed ? token : inCaseOf(token, word);
  });
}

function hidesOrdinaryWords(text: string): boolean {
  return (text.match(TOKENS) ?? []).some((token) => {
    const { core } = withoutPunctuation(token);
    return MASKED_LETTER.test(core) && readMaskedWord(core) === undefined && readOrdinaryMask(core) !== undefined;
  });
}

function revealToken(token: string): Rewriting {
  if (!HAS_SIGN.test(token) || isAddress(token)) return token;
  if (token.length > MAX_TOKEN_LENGTH) return revealParts(token);
  const { opening, core, closing } = withoutPunctuation(token);
  for (const [before, word, after] of readings(opening, core, closing)) {
    const revealed = readMaskedWord(word);
    if (revealed !== undefined) return withinToken(token, before, word, after, revealed);
  }
  const revealed = readOrdinaryMask(core) ?? revealParts(core);
  return revealed === core ? token : withinToken(token, opening, core, closing, revealed);
}

function withinToken(token: string, before: string, word: string, after: string, revealed: Rewriting): PlacedText {
  return new PlacedText(token).rewrite([
    [before, before],
    [word, revealed],
    [after, after],
  ]);
}

const COMPOUND_BORDER = /([-–—/_.,:;…'’]+)/u;

/** Both halves of "mother-f*cker", or each word of a text that has commas for spaces. */
function revealParts(token: string): Rewriting {
  const parts = token.split(COMPOUND_BORDER);
  if (parts.length === 1) return revealPart(token);
  return new PlacedText(token).rewrite(parts.map((part) => [part, revealPart(part)]));
}

function revealPart(part: string): Rewriting {
  if (part.length > MAX_TOKEN_LENGTH) return part;
  return (
    readMaskedWord(part) ??
    readOrdinaryMask(part) ??
    new PlacedText(part).replace(PART, (piece) => revealPiece(piece, part))
  );
}

const OPENING = new Set('([{<"\'“”‘’«‹*_~`#-–—/\\.,;:!?¡¿…&^>%=');
const CLOSING = new Set(')]}>"\'“”‘’»›*_~`#-–—/\\.,;:!?…&^<%=');

interface Framed {
  readonly opening: string;
  readonly core: string;
  readonly closing: string;
}

function withoutPunctuation(token: string): Framed {
  let start = 0;
  let end = token.length;
  while (OPENING.has(token.charAt(start))) start += 1;
  while (end > start && CLOSING.has(token.charAt(end - 1))) end -= 1;
  return { opening: token.slice(0, start), core: token.slice(start, end), closing: token.slice(end) };
}

const LETTERS_AT_END_OF_OPENING = /[!|]+$/u;
const SIGNS_AT_START_OF_CLOSING = /^[!*#%&^~_|<>)\]=\\/-]+/u;
const CLOSING_MASK = /^(?:\*|##|[_-]{3})/u;

/** Ways to say where the word ends and punctuation begins, the plainest first: [before, word, after]. */
function readings(opening: string, core: string, closing: string): [string, string, string][] {
  const found: [string, string, string][] = [[opening, core, closing]];
  if (core.startsWith('@')) found.push([`${opening}@`, core.slice(1), closing]);
  const first = LETTERS_AT_END_OF_OPENING.exec(opening)?.[0] ?? '';
  const last = SIGNS_AT_START_OF_CLOSING.exec(closing)?.[0] ?? '';
  const before = opening.slice(0, opening.length - first.length);
  if (first !== '') found.push([before, first + core, closing]);
  // "shit!" and "as*" are a word and punctuation; "k1!!" and "f***" are not.
  const mayEndInSigns =
    HAS_SIGN.test(core) || (CLOSING_MASK.test(last) && !isFamiliarWord(core) && !isEmphasis(opening, closing));
  if (last !== '' && mayEndInSigns) {
    const after = closing.slice(last.length);
    // A mask may be followed by an exclamation mark.
    const mask = /^[^!]+/u.exec(last)?.[0] ?? last;
    found.push([opening, core + mask, closing.slice(mask.length)], [opening, core + last, after]);
    if (first !== '') found.push([before, first + core + last, after]);
  }
  return found;
}

/** "Press **K**": the same signs stand before the word. */
function isEmphasis(opening: string, closing: string): boolean {
  const signs = /^(?:\*+|_+)/u.exec(closing)?.[0];
  return signs !== undefined && opening.endsWith(signs);
}

const PART = new RegExp(`[${IN_LEET_WORD}]+`, 'gu');

/** A stretch of letters, digits and signs that can be letters, inside a token. */
function revealPiece(piece: string, whole: string): string {
  if (!HAS_SIGN.test(piece) || !LETTER.test(piece)) return piece;
  const masked = piece === whole ? undefined : readMaskedWord(piece);
  if (masked !== undefined) return masked;
  if (isCode(piece)) return piece;
  if (!partsAreWords(piece)) {
    const common = matchCommonWord(leetPattern(piece) ?? []);
    if (common !== undefined) return inCaseOf(piece, common);
    const uncommon = readUncommonWord(piece);
    if (uncommon !== undefined) return uncommon;
  }
  return readUnlistedWord(piece) ?? piece;
}
