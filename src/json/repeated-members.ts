/**
 * Counts what a JSON text holds: how much, and whether an object has two members of one name. Which of the two counts would be left to each
 * reader of the text (RFC 8259, section 4): what is judged must be what the caller publishes.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const BRACE = 0x7b;
const BRACKET = 0x5b;

/**
 * @param text valid JSON
 * @param value what was read from it, perhaps without members that could reach a prototype
 */
export function hasRepeatedMember(text: string, value: unknown): boolean {
  const written = membersWritten(text);
  return written !== membersOf(value) && written !== membersOf(JSON.parse(text));
}

/** In valid JSON a colon that is in no string stands behind the name of a member. */
function membersWritten(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) index = endOfString(text, index);
    else if (unit === COLON) count += 1;
  }
  return count;
}

/** At least as many values as the text holds, save one, whether or not it is valid. */
export function valuesWritten(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === COMMA || unit === BRACE || unit === BRACKET) count += 1;
    else if (unit === QUOTE) {
      index = endOfString(text, index);
      if (index === -1) break;
    }
  }
  return count;
}

function endOfString(text: string, begin: number): number {
  let end = text.indexOf('"', begin + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, index: number): boolean {
  let first = index;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (index - first) % 2 === 1;
}

/** Without recursion: a body may nest deeper than the stack. */
function membersOf(value: unknown): number {
  let count = 0;
  const left: object[] = isObject(value) ? [value] : [];
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    const values: readonly unknown[] = Array.isArray(each) ? each : Object.values(each);
    if (!Array.isArray(each)) count += values.length;
    for (const inner of values) if (isObject(inner)) left.push(inner);
  }
  return count;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
