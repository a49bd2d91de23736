/** The assigned code points of Unicode, as this Node knows it, by general category. */

/** Those of which nine in ten severe sentences have to be found. */
export const SYMBOL_CATEGORIES = ['So', 'Sm', 'Sk', 'Sc', 'Lm', 'No'] as const;
/** Measured as well: punctuation, which tokenizers part from words themselves, invisible characters and marks. */
export const OTHER_CATEGORIES = ['Po', 'Pd', 'Ps', 'Pe', 'Pi', 'Pf', 'Pc', 'Cf', 'Mn'] as const;
export type Category = (typeof SYMBOL_CATEGORIES)[number] | (typeof OTHER_CATEGORIES)[number];

const LAST_CODE_POINT = 0x10ffff;

export function charactersOf(category: Category): string[] {
  const isMember = new RegExp(`^\\p{${category}}$`, 'u');
  const found: string[] = [];
  for (let codePoint = 0; codePoint <= LAST_CODE_POINT; codePoint += 1) {
    const character = String.fromCodePoint(codePoint);
    if (isMember.test(character)) found.push(character);
  }
  return found;
}
