/** The promise that what a browser shows of a document is read, word for word: held to the document that parse5 makes of it. */
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../../../benchmarks/robustness/random.js';
import { readText } from '../../../../src/text/read-text.js';

const DOCUMENTS = 200;
const WORDS = 'garden yellow window mother sometimes walking river teacher because morning little question bread'.split(
  ' ',
);
const INLINE = ['b', 'i', 'span', 'a', 'em', 'font', 'custom-name', 'x', 'label', 'u'];
const BLOCK = ['div', 'p', 'section', 'ul', 'li', 'h2', 'blockquote', 'pre', 'dd'];
const GRAPHICS = [
  '<svg><title>so</title><path d="M0 0"/></svg>',
  '<math><mi>x</mi></math>',
  '<textarea><b></textarea>',
];
const UNSEEN = ['script', 'style'];
/** What stands apart in the document as well. */
const APART = ['title', 'noscript', 'iframe', 'svg'];
const ATTRIBUTES = [
  'class=note',
  'title="a > b"',
  "data-x='<i>'",
  'hidden',
  'href="https://example.com/?a=1&amp;b=2"',
  'x="&quot;"',
];
const COMMENTS = ['<!-- a > b -->', '<!---->', '<!-- <b> --!>', '<![CDATA[so]]>', '<?x?>', '<!x>', '</3>', '</>'];

describe('of a document', () => {
  it.each(Array.from({ length: DOCUMENTS }, (_, seed) => seed))('every word that is shown is read: %i', (seed) => {
    const document = documentOf(createRandom(seed), 4);
    const shown = wordsOf(shownBy(parseFragment(document)));
    const read = wordsOf(
      readText(document)
        .segments.map(({ text }) => text)
        .join(' '),
    );
    expect(missingFrom(read, shown), document).toEqual([]);
    if (!APART.some((name) => document.includes(`<${name}`))) expect(read.slice(0, shown.length)).toEqual(shown);
  });
});

function documentOf(random: Random, depth: number): string {
  return Array.from({ length: 2 + random.below(4) }, () => partOf(random, depth)).join(random.pick(['', ' ', '\n']));
}

function partOf(random: Random, depth: number): string {
  const kind = random.below(depth > 0 ? 8 : 3);
  if (kind < 3) return ` ${Array.from({ length: 1 + random.below(4) }, () => wordOf(random)).join(' ')} `;
  if (kind === 3) return element(random, random.pick(UNSEEN), () => 'let so = "<b>"');
  if (kind === 4) return element(random, random.pick(['title', 'noscript', 'iframe']), () => random.pick(WORDS));
  if (kind === 5)
    return random.pick([...GRAPHICS, '<br>', '<hr>', '<img src="x.png" alt="so">', '<input type="text" disabled>']);
  return element(random, random.pick(kind === 6 ? INLINE : BLOCK), () => documentOf(random, depth - 1));
}

function element(random: Random, name: string, content: () => string): string {
  const attributes = ATTRIBUTES.filter(() => random.below(4) === 0).map((attribute) => ` ${attribute}`);
  return `<${name}${attributes.join('')}>${content()}</${name}>`;
}

/** A word, with something in it that nobody sees or with a letter as a reference. */
function wordOf(random: Random): string {
  const word = random.pick(WORDS);
  const at = 1 + random.below(word.length - 1);
  const [start, letter, end] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
  const name = random.pick(INLINE);
  return random.pick([
    word,
    `${start}${random.pick(COMMENTS)}${letter}${end}`,
    `${start}<${name}></${name}>${letter}${end}`,
    `${start}<b>${letter}</b>${end}`,
    `${start}<wbr>${letter}${end}`,
    `${start}&shy;${letter}${end}`,
    `${start}&#00${String(letter.charCodeAt(0))};${end}`,
    `${word}&nbsp;&amp;&nbsp;${word}`,
    `${word} &lt; ${word}`,
  ]);
}

function shownBy(node: DefaultTreeAdapterTypes.Node): string {
  if ('value' in node) return node.value;
  if (!('childNodes' in node) || UNSEEN.includes(node.nodeName)) return '';
  const content = node.childNodes.map(shownBy).join('');
  return [...BLOCK, ...APART, 'br', 'hr'].includes(node.nodeName) ? ` ${content} ` : content;
}

function wordsOf(text: string): string[] {
  return text.replace(/\u00AD/g, '').match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Each word counts as often as it is shown. */
function missingFrom(read: readonly string[], shown: readonly string[]): string[] {
  const rest = [...read];
  return shown.filter((word) => {
    const at = rest.indexOf(word);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}
