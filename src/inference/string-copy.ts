/**
 * The same string, in memory of its own. V8 makes a part of a string of 13 characters or more a view of the whole one, so that a
 * word that is remembered would keep the text in memory that it came from: https://bugs.chromium.org/p/v8/issues/detail?id=2869
 */
export function copyOf(part: string): string {
  // A new string, of which the result is a view: no text, and one character longer.
  return ` ${part}`.slice(1);
}
