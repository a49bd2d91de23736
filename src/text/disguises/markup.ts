/** Takes markup out of a text, as a browser or a forum would: character references and tags that stand in or between words. Knows no words. */
import { PlacedText } from '../placed-text.js';
import { readTable } from '../tables.js';

/** Of the named references those that can hide words. */
const NAMED = new Map(
  Array.from(readTable(new URL('references.txt', import.meta.url)), ([name, character]): [string, string] => [
    name,
    character.replace(/^U\+([0-9A-F]{4})$/, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16))),
  ]),
);
const REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z]{2,14})(?=;));?/gu;
const LAST_CODE_POINT = 0x10ffff;

const INLINE =
  'a|abbr|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|tt|u|var|wbr';
const BLOCK =
  'address|article|aside|blockquote|br|center|dd|div|dl|dt|figure|footer|h[1-6]|header|hr|img|li|main|nav|ol|p|pre|section|table|tbody|td|th|tr|ul';
const VALUE = '"[^"<>]{0,200}"|\'[^\'<>]{0,200}\'|[^\\s"\'<>=]{1,200}';
const ATTRIBUTES = `((?:\\s{1,8}[a-z][a-z0-9:_-]{0,30}(?:\\s?=\\s?(?:${VALUE}))?){0,12}\\s{0,8})`;
// A tag that no browser knows is none, unless it stands within a word.
const TAG = new RegExp(
  `<!--([^<>]{0,300})-->|</?(?:(${BLOCK})|(?:${INLINE})|(?<=\\p{L}</?)[a-z][a-z0-9-]{0,20}(?=${ATTRIBUTES}/?>\\p{L}))${ATTRIBUTES}/?>`,
  'giu',
);

// Of forums (BBCode): those that change how letters look, where they are closed. "[i]" alone may be a letter.
const FORUM_TAG = /\[\/?(b|color|font|i|s|size|spoiler|u|url)(?:=([^[\]]{0,200}))?\]/giu;
const FORUM_END = /\[\/([a-z]{1,7})\]/giu;

/** Unicode's tag characters, which nobody sees, carry ASCII; behind a black flag they say whose flag it is. */
const UNSEEN_LETTERS = /(\u{1F3F4}?)[\u{E0020}-\u{E007E}]+/gu;
const UNSEEN_LETTER = /./gsu;
const FIRST_TAG = 0xe0000;
/** What each of these begins with. */
const MARKUP = /[<[\uDB40]/;

/** The text without tags; what they hold beside their names comes after it, so that nothing can be said in a place that nobody reads. */
export function withoutMarkup(placed: PlacedText): PlacedText {
  const plain = placed.text.includes('&') ? placed.replace(REFERENCE, readReference) : placed;
  if (!MARKUP.test(plain.text)) return plain;
  const held: PlacedText[] = [];
  const seen = plain.replace(UNSEEN_LETTERS, (run, at, [flag]) => {
    if (flag !== '') return run;
    held.push(plain.slice(at, at + run.length).replace(UNSEEN_LETTER, carriedLetter));
    return '';
  });
  const closed = new Set(Array.from(seen.text.matchAll(FORUM_END), ([, name]) => name?.toLowerCase()));
  const untagged = seen.replace(FORUM_TAG, (tag, at, [name, value]) => {
    if (!closed.has(name?.toLowerCase())) return tag;
    if (value !== undefined) {
      const end = at + tag.lastIndexOf(']');
      held.push(seen.slice(end - value.length, end));
    }
    return '';
  });
  const readable = untagged.replace(TAG, (tag, at, [comment, block, , attributes]) => {
    const inside = (comment ?? attributes ?? '').trim();
    if (inside !== '' && inside !== '/') {
      const start = at + tag.lastIndexOf(inside);
      held.push(untagged.slice(start, start + inside.length));
    }
    return block === undefined ? '' : ' ';
  });
  return held.length === 0 ? readable : PlacedText.join([readable, ...held], '\n');
}

function carriedLetter(tag: string): string {
  return String.fromCodePoint((tag.codePointAt(0) ?? FIRST_TAG) - FIRST_TAG);
}

function readReference(
  reference: string,
  _at: number,
  [decimal, hexadecimal, name]: readonly (string | undefined)[],
): string {
  if (name !== undefined) return NAMED.get(name) ?? reference;
  const codePoint = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number.parseInt(decimal, 10);
  return codePoint > 0 && codePoint <= LAST_CODE_POINT ? String.fromCodePoint(codePoint) : reference;
}
