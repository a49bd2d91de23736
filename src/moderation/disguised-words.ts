/**
 * Restores single disguised words: leetspeak, masked letters, punctuation put between letters, stretched and swapped letters. Looks at
 * one token at a time; spaces between letters are for spaced-letters.ts.
 */
import {
  ANY_LETTER,
  fits,
  isFamiliarWord,
  LONGEST_WORD,
  matchCommonWord,
  matchMaskedWord,
  matchEnglishWord,
  type WordPattern,
} from './familiar-words.js';
import {
  inCaseOf,
  leetPattern,
  maskPattern,
  NOT_LETTERS,
  readDrawnLetters,
  readUncommonWord,
  readUnlistedWord,
  WORD_CHARACTERS,
} from './leetspeak.js';
import { readLeetspeakTexts } from './leetspeak-texts.js';
import { isAddress, isCode, isQuantity } from './protected-tokens.js';
import { shortenStretchedLetters } from './stretched-letters.js';
import { readSwappedLetters } from './swapped-letters.js';

const TOKEN = /\S+/gu;
const PLAIN_WORD = /^[A-Za-z]+$/;
const LETTER = /\p{L}/u;
const LETTER_RUN = /\p{Script=Latin}+/gu;

/** Longer ones are no listed word, and trying them symbol by symbol would cost time for nothing. */
const MAX_TOKEN_LENGTH = 64;

/** @param read what tokens were read as before, and are from now on: a word that comes again is looked at once */
export function revealDisguisedWords(text: string, read = new Map<string, string>()): string {
  return readLeetspeakTexts(readEitherWay(text)).replace(TOKEN, (token) => {
    const known = read.get(token);
    if (known !== undefined) return known;
    const revealed = revealToken(token);
    read.set(token, revealed);
    return revealed;
  });
}

/** "wh*re", "s*ck" and "g*ys" may be one of these as well as a listed word, and are so far more often. */
const LIKELIER_WORDS: readonly string[] = ['where', 'sick', 'guys'];
const EITHER_WAY = /(?<![\p{L}\p{N}*#@])(?:wh[*#@]re|s[*#@]ck|g[*#@]ys)(?![\p{L}\p{N}*#@])/giu;
/** What comes after is a noun, or somebody is called it, or does it. */
const BEFORE_THE_LISTED_WORD =
  /(?:^|[^\p{L}])(?:an?|the|this|that|such|you|your|they|we|fucking|stupid|dirty|little)\s+$/iu;
/** "You guys" and "the guys" are as usual as any: only an insult tells that another word is meant. */
const BEFORE_ANOTHER_NOUN = /(?:^|[^\p{L}])(?:fucking|stupid|dirty|little)\s+$/iu;

/**
 * Who masks a single word in a text masks the one that gives offence; whose masks fall on ordinary words too ("wh*re does this co*e
 * from?") hides any. So there these words are read as the likelier, unless what stands before them speaks for the listed one.
 */
function readEitherWay(text: string): string {
  if (text.search(EITHER_WAY) === -1 || !hidesOrdinaryWords(text)) return text;
  return text.replace(EITHER_WAY, (token, at: number) => {
    const pattern = maskPattern(token) ?? [];
    const word = LIKELIER_WORDS.find((candidate) => fits(candidate, pattern));
    const before = text.slice(Math.max(0, at - LONGEST_WORD), at);
    const isListed = (word === 'guys' ? BEFORE_ANOTHER_NOUN : BEFORE_THE_LISTED_WORD).test(before);
    return word === undefined || isListed ? token : inCaseOf(token, word);
  });
}

function hidesOrdinaryWords(text: string): boolean {
  return (text.match(TOKEN) ?? []).some((token) => {
    const { core } = withoutPunctuation(token);
    return MASKED_LETTER.test(core) && readMaskedWord(core) === undefined && readOrdinaryMask(core) !== undefined;
  });
}

function revealToken(token: string): string {
  if (PLAIN_WORD.test(token)) return revealPlainWord(token);
  if (isAddress(token)) return token;
  if (token.length > MAX_TOKEN_LENGTH) return revealParts(token);
  const { opening, core, closing } = withoutPunctuation(token);
  for (const [before, word, after] of readings(opening, core, closing)) {
    const revealed = readMaskedWord(word);
    if (revealed !== undefined) return before + revealed + after;
  }
  const revealed = readOrdinaryMask(core) ?? revealParts(core);
  return opening + revealed + closing;
}

/** @param word letters only */
function revealPlainWord(word: string): string {
  const unscrambled = readSwappedLetters(word);
  return unscrambled === undefined ? shortenStretchedLetters(word) : inCaseOf(word, unscrambled);
}

const COMPOUND_BORDER = /([-–—/_.,:;…'’]+)/u;

/** Both halves of "mother-f*cker", or each word of a text that has commas for spaces. */
function revealParts(token: string): string {
  return token.split(COMPOUND_BORDER).map(revealPart).join('');
}

function revealPart(part: string): string {
  if (part.length > MAX_TOKEN_LENGTH) return part.replace(LETTER_RUN, revealPlainWord);
  return readMaskedWord(part) ?? readOrdinaryMask(part) ?? part.replace(PART, (piece) => revealPiece(piece, part));
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
const HAS_SIGN = /[^\p{L}\p{M}]/u;

/** Ways to say where the word ends and punctuation begins, the plainest first: [before, word, after]. */
function readings(opening: string, core: string, closing: string): [string, string, string][] {
  const found: [string, string, string][] = [[opening, core, closing]];
  if (core.startsWith('@')) found.push([`${opening}@`, core.slice(1), closing]);
  const first = LETTERS_AT_END_OF_OPENING.exec(opening)?.[0] ?? '';
  const last = SIGNS_AT_START_OF_CLOSING.exec(closing)?.[0] ?? '';
  const before = opening.slice(0, opening.length - first.length);
  if (first !== '') found.push([before, first + core, closing]);
  // "shit!" and "as*" are a word and punctuation; "k1!!" and "f***" are not.
  const mayEndInSigns = HAS_SIGN.test(core) || (CLOSING_MASK.test(last) && !isFamiliarWord(core));
  if (last !== '' && mayEndInSigns) {
    const after = closing.slice(last.length);
    // A mask may be followed by an exclamation mark.
    const mask = /^[^!]+/u.exec(last)?.[0] ?? last;
    found.push([opening, core + mask, closing.slice(mask.length)], [opening, core + last, after]);
    if (first !== '') found.push([before, first + core + last, after]);
  }
  return found;
}

const SYMBOLS_ONLY = /^[@$!|+(]{3,}$/u;
const DIGIT = /\d/gu;
const LONG_RUN = /(.)\1{2,}/u;
const LONG_RUNS = /(.)\1{2,}/gu;

/** "P&G" hides no pig. */
const COMPANY = /^[A-Z]&[A-Z]$/;

/** The listed word that a token with signs in it is a disguise of. */
function readMaskedWord(token: string): string | undefined {
  if (token.length > 2 * LONGEST_WORD || !HAS_SIGN.test(token)) return undefined;
  if (isQuantity(token)) return undefined;
  if (!LETTER.test(token)) return SYMBOLS_ONLY.test(token) ? matchMaskedWord(leetPattern(token) ?? []) : undefined;
  // "A55" and "G4S" are names: in so short a token too little speaks for a word.
  if (token.length === 3 && (token.match(DIGIT)?.length ?? 0) > 1 && token !== token.toLowerCase()) return undefined;
  if (COMPANY.test(token)) return undefined;
  const word =
    readLeet(token) ??
    readStretchedLeet(token) ??
    readLeet(readDrawnLetters(token)) ??
    readInserted(token) ??
    readMasks(token);
  return word === undefined ? undefined : inCaseOf(token, word);
}

function readLeet(token: string): string | undefined {
  const pattern = leetPattern(token);
  return pattern === undefined ? undefined : matchMaskedWord(pattern);
}

/** "sh111t", "a$$$$". */
function readStretchedLeet(token: string): string | undefined {
  if (!LONG_RUN.test(token)) return undefined;
  return readLeet(token.replace(LONG_RUNS, '$1')) ?? readLeet(token.replace(LONG_RUNS, '$1$1'));
}

// An apostrophe parts letters of ordinary words ("he'll"), so that only several of them are separators.
const SEPARATORS = /[^\p{L}\p{M}\p{N}@$+|'’]+/gu;
const SEPARATORS_AND_APOSTROPHES = /[^\p{L}\p{M}\p{N}@$+|]+/gu;
const SEVERAL_APOSTROPHES = /['’].*['’]/u;

/** "fu.ck", "d-u-m-b": read through the separators, unless they part words of their own ("mother-in-law", "kill_all"). */
function readInserted(token: string): string | undefined {
  // "fa*t" hides a letter.
  if (MASKED_LETTER.test(token) && matchCommonWord(maskPattern(token) ?? []) !== undefined) return undefined;
  const parts = token
    .split(SEVERAL_APOSTROPHES.test(token) ? SEPARATORS_AND_APOSTROPHES : SEPARATORS)
    .filter((part) => part !== '');
  if (parts.length < 2 || parts.every(isFamiliarWord)) return undefined;
  const joined = parts.join('');
  if (!LETTER.test(parts[0] ?? '') && !LETTER.test(parts.at(-1) ?? '')) return undefined;
  return readLeet(joined) ?? readStretchedLeet(joined);
}

const STARS_ONLY = /^\p{L}+\*+\p{L}*$/u;

const MASKED_LETTER = /^[A-Za-z]+[*#@][A-Za-z]+$/u;

/**
 * "f**k", "b!tch", "c_nt": two letters must be known, one where the rest are asterisks. Other signs than those that mask a letter may
 * stand between words ("you!they").
 */
function readMasks(token: string): string | undefined {
  const pattern = maskPattern(token);
  if (pattern === undefined || (partsAreWords(token) && !MASKED_LETTER.test(token))) return undefined;
  const knownLetters = token.replace(NOT_LETTERS, '').length;
  const enough = STARS_ONLY.test(token) ? 1 : knownLetters * 2 >= token.length ? 2 : 3;
  const word = knownLetters >= enough ? matchMaskedWord(pattern) : undefined;
  return word === undefined || isLikelierCommon(token, pattern, word) ? undefined : word;
}

const ONE_HIDDEN_LETTER = /^[A-Za-z]+[*#@!_-][A-Za-z]+$/u;
const VOWEL = /[aeiouy]/u;

/** Who masks a word to hide it mostly masks a vowel: "h*te", but "ha*e" is sooner "have", and "t#at" is "that". */
function isLikelierCommon(token: string, pattern: WordPattern, word: string): boolean {
  if (!ONE_HIDDEN_LETTER.test(token) || VOWEL.test(word.charAt(pattern.indexOf(ANY_LETTER)))) return false;
  return matchCommonWord(pattern) !== undefined;
}

const LEAST_KNOWN_LETTERS = 3;

/** Harmless words are masked to hide their neighbours: "w*rld". One letter only. */
function readOrdinaryMask(token: string): string | undefined {
  if (token.length <= LEAST_KNOWN_LETTERS || token.length > LONGEST_WORD || !MASKED_LETTER.test(token))
    return undefined;
  const leet = leetPattern(token) ?? [];
  const mask = maskPattern(token) ?? [];
  const word = matchCommonWord(leet) ?? matchCommonWord(mask) ?? matchEnglishWord(leet) ?? matchEnglishWord(mask);
  return word === undefined ? undefined : inCaseOf(token, word);
}

function partsAreWords(token: string): boolean {
  return token
    .split(NOT_LETTERS)
    .filter((part) => part !== '')
    .every(isFamiliarWord);
}

const PART = new RegExp(`[${WORD_CHARACTERS}]+`, 'gu');

/** A stretch of letters, digits and signs that can be letters, inside a token. */
function revealPiece(piece: string, whole: string): string {
  if (!HAS_SIGN.test(piece)) return revealPlainWord(piece);
  if (!LETTER.test(piece)) return piece;
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
