/**
 * Restores single words in which signs stand for letters: finds where in a token a word begins and ends, and has it read by masked-letters.ts.
 * Looks at one token at a time; spaces between letters are for spaced-letters.ts.
 */
import { ANY_LANGUAGE, isFamiliarWord, languagesOf, matchCommonWord, type Languages } from '../words/familiar-words.js';
import { inCaseOf, leetPattern, readFrequentWord, IN_LEET_WORD } from './leetspeak.js';
import {
  HAS_SIGN,
  MASKED_LETTER,
  partsAreWords,
  readCommonMask,
  readMaskedWord,
  readOrdinaryMask,
} from './masked-letters.js';
import { PlacedText, type Rewriting } from '../placed-text.js';
import { isAddress, isCode } from './protected-tokens.js';
import { remembering } from './remembered-words.js';
import { LETTER, TOKENS } from '../words/characters.js';

/** Longer ones are no listed word, and trying them symbol by symbol would cost time for nothing. */
const MAX_TOKEN_LENGTH = 64;

/** A word that comes again in a text is looked at once. */
const REMEMBERED = { most: 10_000, longest: MAX_TOKEN_LENGTH };

export function revealDisguisedWords(placed: PlacedText): PlacedText {
  const first = placed.replace(TOKENS, revealAlone);
  if (first === placed) return placed;
  const spoken = languagesOf(first.text);
  const readWord = hidesOrdinaryWords(placed.text, spoken) ? readCommonMask : readMaskedWord;
  const reveal = remembering(REMEMBERED, (token) => revealToken(token, readWord, spoken));
  return placed.replace(TOKENS, (token) => (revealAlone(token) === token ? token : reveal(token)));
}

/** What a token is read as where nothing is known of the text. */
const revealAlone = remembering(REMEMBERED, (token) => revealToken(token, readMaskedWord, ANY_LANGUAGE));

const MASKED_LETTERS = /\p{L}[*#@]\p{L}/u;

/**
 * Who masks a single word in a text masks the one that gives offence; whose masks fall on ordinary words too ("wh*re does this co*e
 * from?") hides any.
 */
function hidesOrdinaryWords(text: string, spoken: Languages): boolean {
  if (!MASKED_LETTERS.test(text)) return false;
  return (text.match(TOKENS) ?? []).some((token) => {
    const { core } = withoutPunctuation(token);
    return (
      MASKED_LETTER.test(core) &&
      readMaskedWord(core, spoken) === undefined &&
      readOrdinaryMask(core, spoken) !== undefined
    );
  });
}

function revealToken(token: string, readWord: typeof readMaskedWord, spoken: Languages): Rewriting {
  if (!HAS_SIGN.test(token) || isAddress(token)) return token;
  if (token.length > MAX_TOKEN_LENGTH) return revealParts(token, spoken);
  const { opening, core, closing } = withoutPunctuation(token);
  for (const [before, word, after] of readings(opening, core, closing)) {
    const revealed = readWord(word, spoken);
    if (revealed !== undefined) return withinToken(token, before, word, after, revealed);
  }
  if (!HAS_SIGN.test(core)) return token;
  const revealed = readOrdinaryMask(core, spoken) ?? revealParts(core, spoken);
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
function revealParts(token: string, spoken: Languages): Rewriting {
  const parts = token.split(COMPOUND_BORDER);
  if (parts.length === 1) return revealPart(token, spoken);
  return new PlacedText(token).rewrite(parts.map((part) => [part, revealPart(part, spoken)]));
}

function revealPart(part: string, spoken: Languages): Rewriting {
  if (part.length > MAX_TOKEN_LENGTH) return part;
  return (
    readMaskedWord(part, spoken) ??
    readOrdinaryMask(part, spoken) ??
    new PlacedText(part).replace(PART, (piece) => revealPiece(piece, part, spoken))
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
/** One letter among signs tells no word: "i++". */
const SEVERAL_LETTERS = /\p{L}.*\p{L}/u;

/** A stretch of letters, digits and signs that can be letters, inside a token. */
function revealPiece(piece: string, whole: string, spoken: Languages): string {
  if (!HAS_SIGN.test(piece) || !LETTER.test(piece)) return piece;
  const masked = piece === whole ? undefined : readMaskedWord(piece, spoken);
  if (masked !== undefined) return masked;
  // "R4D" is a name.
  if (isCode(piece) || (piece.length === 3 && piece !== piece.toLowerCase())) return piece;
  if (SEVERAL_LETTERS.test(piece) && !partsAreWords(piece)) {
    const common = matchCommonWord(leetPattern(piece) ?? [], spoken);
    if (common !== undefined) return inCaseOf(piece, common);
    const frequent = readFrequentWord(piece, spoken);
    if (frequent !== undefined) return frequent;
  }
  return piece;
}
