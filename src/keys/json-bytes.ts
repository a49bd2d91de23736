/** Finds where the parts of a JSON text begin and end, without building values. Judges nothing: JSON.parse does, of each part. */

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const [OPEN_LIST, CLOSE_LIST] = [0x5b, 0x5d];
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d];
const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d]);

export const isObjectAt = (bytes: Buffer, at: number): boolean => bytes[at] === OPEN_OBJECT;
export const isCommaAt = (bytes: Buffer, at: number): boolean => bytes[at] === COMMA;
export const isListEndAt = (bytes: Buffer, at: number): boolean => bytes[at] === CLOSE_LIST;

export function afterBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (BLANKS.has(bytes[at] ?? -1)) at += 1;
  return at;
}

/** @returns the position after the bracket that closes the one at `from`, or -1 where none does */
export function endOfBrackets(bytes: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = closingQuote(bytes, at);
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/**
 * @param name as it is written, without escapes
 * @returns the position of the `[` of the list that is the member `name` of the outermost object, or -1 where there is none
 */
export function listOfMember(bytes: Buffer, name: string): number {
  const quoted = Buffer.from(`"${name}"`);
  let at = afterBlanks(bytes, 0);
  if (!isObjectAt(bytes, at)) return -1;
  at += 1;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = closingQuote(bytes, at) + 1;
      const colon = afterBlanks(bytes, end);
      const value = afterBlanks(bytes, colon + 1);
      const isName = bytes[colon] === COLON && bytes.subarray(at, end).equals(quoted);
      if (isName && bytes[value] === OPEN_LIST) return value;
      at = end;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      const end = endOfBrackets(bytes, at);
      if (end === -1) return -1;
      at = end;
    } else at += 1;
  }
  return -1;
}

/** @returns the end of the text where none closes the string */
function closingQuote(bytes: Buffer, opening: number): number {
  let at = opening + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
