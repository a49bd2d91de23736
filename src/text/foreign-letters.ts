/**
 * How much of a text is in scripts that a model does not know. Looks at letters alone: it knows nothing of languages, and what a share
 * means for the verdict is for verdict.ts to say.
 */

import { LETTER, LETTERS } from './words/characters.js';

/** From 0 to 1; undefined for a text without letters. Pure, takes time linear in the length of the text. */
export type ForeignLetterShare = (text: string) => number | undefined;

/**
 * The share of a text's letters that are of none of the scripts. Give it the text with disguises undone: letters of another script
 * that stand in for known ones are Latin there.
 *
 * A letter that several scripts use (Script_Extensions, UAX #24) is known where one of them is; one that all use (`µ`, `ℵ`) always is.
 *
 * @param scripts names of Unicode's property Script, as in `Latin`
 */
export function foreignLetterShare(scripts: readonly string[]): ForeignLetterShare {
  const known = ['Common', ...scripts].map((script) => `\\p{Script_Extensions=${script}}`).join('');
  const foreignLetter = new RegExp(`(?![${known}])\\p{L}`, 'gu');
  return (text) => {
    const foreign = text.match(foreignLetter)?.length ?? 0;
    if (foreign === 0) return LETTER.test(text) ? 0 : undefined;
    return foreign / (text.match(LETTERS)?.length ?? foreign);
  };
}
