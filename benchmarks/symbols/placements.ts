/** Where a character is put to hide words from a filter: beside them, in them, or in place of the spaces between them. */

export const PLACEMENTS: Readonly<Record<string, (text: string, character: string) => string>> = {
  'before every word': (text, character) => text.replace(WORD, (word) => character + word),
  'after every word': (text, character) => text.replace(WORD, (word) => word + character),
  'between letters': (text, character) => text.replace(WORD, (word) => Array.from(word).join(character)),
  'in place of spaces': (text, character) => text.replaceAll(' ', character),
};

const WORD = /[\p{L}\p{N}'’]+/gu;
