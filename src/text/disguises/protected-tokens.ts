/** Tells tokens that look disguised but are not: addresses, numbers with units, model names, versions, chess moves. */
import { isFamiliarWord } from '../words/familiar-words.js';

const SCHEME = /[a-z]:\/\//iu;
const WWW = /(?:^|\W)www\./iu;
const HOST_OF_MAIL = /^[\w-]+\.[a-z]/iu;
const HOST = /[a-z0-9]\.(?:com|org|net|edu|gov|io|co|uk|de|fr|eu|ca|au|tv|dev|app|info|ai|ly|gg)(?:[/?#:]|\W*$)/iu;

/** URLs, host names and e-mail addresses: never rewritten. */
export function isAddress(token: string): boolean {
  const at = token.indexOf('@');
  if (at > 0 && HOST_OF_MAIL.test(token.slice(at + 1))) return true;
  return SCHEME.test(token) || WWW.test(token) || HOST.test(token);
}

const UNITS =
  'st|nd|rd|th|s|x|k|m|g|b|kg|mg|lb|lbs|oz|ml|l|cl|dl|mm|cm|km|ft|in|yd|mi|am|pm|h|hr|hrs|min|mins|sec|secs|ms|w|kw|kwh|v|a|ma|mah|gb|mb|tb|kb|p|fps|hz|khz|mhz|ghz|bn|mn|pc|pcs|yo|yr|yrs|px|pt|em|rem|d|c|f|ish|er|ers';
const NUMBER_WITH_UNIT = new RegExp(`^[$€£]?\\d+(?:${UNITS}|[a-z])$`, 'iu');
const HEXADECIMAL = /^(?:0x[0-9a-f]+|(?=[a-f]*[0-9])[0-9a-f]{6,})$/iu;
const CHESS_MOVE = /^[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8][+#]?$/u;
const NUMBER_THEN_WORD = /^\d+(\p{L}{3,})$/u;
const WORD_THEN_NUMBER = /^(\p{L}{3,})\d$/u;
const LETTERS_THEN_LONG_NUMBER = /^\p{L}+\d{2,}$/u;
const PREFIXED = /^[@$]\w+$/u;

/** "80MB", "5th", "$10k". */
export function isQuantity(token: string): boolean {
  return NUMBER_WITH_UNIT.test(token);
}

/** Codes and quantities in which a digit is a digit. Only a word on the list of masked words may still be read in them. */
export function isCode(token: string): boolean {
  if (token.length < 3 || isQuantity(token) || HEXADECIMAL.test(token) || CHESS_MOVE.test(token)) return true;
  if (LETTERS_THEN_LONG_NUMBER.test(token) || PREFIXED.test(token)) return true;
  // "4ever", "50people", "room5": a word and a number; "th3" and "7hat" are not, for "th" and "hat7" say nothing.
  const word = NUMBER_THEN_WORD.exec(token)?.[1] ?? WORD_THEN_NUMBER.exec(token)?.[1];
  return word !== undefined && isFamiliarWord(word);
}
