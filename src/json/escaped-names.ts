/**
 * Keeps escapes out of the member names that JSON.parse sees. V8 of Node 24 and 26 compares the beginning of an escaped name, as it is written,
 * with names that it met before: after "\\u0063o" it reads "\u0063ontent" as that (https://github.com/nodejs/node/issues/63785, open as
 * of Node 26.5). Node 20 and 22 are free of it. This file goes, with its two calls in json-body.ts, once no supported Node has it.
 */

/** From the last escape of a name to its colon; seldom found in anything else. */
const END_OF_ESCAPED_NAME = /\\[^][^"\\]*"\s*:/;

/** With the colon behind it where it is a name. It need not end, so that no text takes more than one pass. */
const STRING = /("[^"\\]*(?:\\[^][^"\\]*)*"?)(\s*:)?/g;

/** What JSON writes by an escape alone, and the sign that stands for it. */
const TO_ENCODE = /["\\%\p{Cc}]/gu;

/**
 * Writes names without escapes, percent-encoded where they need one. Nearly all texts have no escaped name and are returned as they are; what is not
 * JSON does not become so.
 */
export function encodeEscapedNames(text: string): string {
  if (!text.includes('\\') || !END_OF_ESCAPED_NAME.test(text)) return text;
  try {
    return text.replaceAll(STRING, (all, string: string, colon?: string) =>
      colon === undefined ? all : `"${String(JSON.parse(string)).replaceAll(TO_ENCODE, encodeURIComponent)}"${colon}`,
    );
  } catch {
    return text;
  }
}

/** Undoes the encoding, in the value read from a text that it changed. Without recursion: a body may nest deeper than the stack. */
export function decodeNames(value: unknown): void {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const each = left.pop();
    if (typeof each !== 'object' || each === null) continue;
    const members = Object.entries(each);
    for (const [, inner] of members) left.push(inner);
    const encoded = members.filter(([name]) => name.includes('%'));
    // All at first: one decoded may be called as another is while encoded.
    for (const [name] of encoded) Reflect.deleteProperty(each, name);
    for (const [name, inner] of encoded) Reflect.set(each, decodeURIComponent(name), inner);
  }
}
