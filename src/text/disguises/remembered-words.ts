/** Remembers what was made of short words: few of them make up most of any text. Keeps no text. */

export interface MemoryOfWords {
  /** Of so many words at once: when there are more, all are forgotten. */
  readonly most: number;
  /** In UTF-16 units; what is made of a longer word is not remembered. */
  readonly longest: number;
}

/** The same function, asked once for each word while it is remembered. */
export function remembering<Value extends object | string>(
  { most, longest }: MemoryOfWords,
  valueOf: (word: string) => Value,
): (word: string) => Value {
  const values = new Map<string, Value>();
  return (word) => {
    if (word.length > longest) return valueOf(word);
    const known = values.get(word);
    if (known !== undefined) return known;
    const copy = copyOf(word);
    const value = valueOf(copy);
    if (values.size >= most) values.clear();
    values.set(copy, value);
    return value;
  };
}

/**
 * The same string, in memory of its own. V8 makes a part of a string of 13 characters or more a view of the whole one, so that a
 * word that is remembered would keep the text in memory that it came from: https://bugs.chromium.org/p/v8/issues/detail?id=2869
 */
function copyOf(word: string): string {
  // A new string, of which the result is a view: no text, and one character longer.
  return ` ${word}`.slice(1);
}
