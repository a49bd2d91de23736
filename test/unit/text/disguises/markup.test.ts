/** The promise that HTML hides no word, and that what only looks like it stays. */
import { describe, expect, it } from 'vitest';
import { normalise } from '../../../../src/text/normalise.js';
import { readText } from '../../../../src/text/read-text.js';

describe('HTML', () => {
  it.each([
    ['a decimal reference', '&#105;diot', 'idiot'],
    ['a hexadecimal reference', 'i&#x64;iot', 'idiot'],
    ['a reference without its semicolon', '&#105diot', 'idiot'],
    ['a reference in a reference', '&amp;#105;diot', 'idiot'],
    ['a soft hyphen', 'id&shy;iot', 'idiot'],
    ['an invisible character', 'id&zwnj;i&ZeroWidthSpace;ot', 'idiot'],
    ['a space between words', 'you&nbsp;idiot', 'you idiot'],
    ['spaces between letters', 'k&nbsp;i&nbsp;l&nbsp;l', 'kill'],
    ['signs between letters', 'k&bull;i&bull;l&bull;l', 'kill'],
    ['a tag in a word', 'f<b>u</b>ck', 'fuck'],
    ['a tag with attributes', 'f<span class="x">u</span>ck', 'fuck\nclass="x"'],
    ['a tag that no browser knows, in a word', 'f<x-y>uck', 'fuck'],
    ['a comment', 'f<!-- so -->uck', 'fuck\nso'],
    ['line breaks between letters', 'f<br>u<br/>c<br />k', 'fuck'],
    ['a tag of a forum in a word', '[b]f[/b]uck', 'fuck'],
    ['a tag of a forum with a value', 'f[color=red]u[/color]ck', 'fuck\nred'],
    ['letters in brackets that could be tags', '[k][i][l][l]', '[kill]'],
    ['an empty element of another grammar', 'f<svg></svg>uck', 'fuck'],
    ['an empty element that no browser knows', 'f<x></x>uck', 'fuck'],
    ['an attribute with > in quotes', 'f<x a=">">uck', 'fuck\na=">"'],
    ['a long attribute', `f<b a="${'so '.repeat(200)}">uck`, `fuck\na="${'so '.repeat(200)}"`],
    ['an instruction', 'f<?x?>uck', 'fuck\nx'],
    ['a declaration', 'f<!x>uck', 'fuck\nx'],
    ['an end tag that is a comment', 'f</3>uck', 'fuck\n3'],
    ['an end tag without a name', 'f</>uck', 'fuck'],
    ['a section of XML', 'f<![CDATA[so]]>uck', 'fuck\nso'],
    ['a long comment', `f<!-- ${'so '.repeat(200)}-->uck`, `fuck\n${'so '.repeat(200).trim()}`],
    ['an element that shows nothing', 'f<script>let a = "<b>"</script>uck', 'fuck\nlet a = "<b>"'],
    ['a reference with many zeros', '&#0000000000105;diot', 'idiot'],
    ['a hexadecimal reference with many zeros', '&#x000000000069;diot', 'idiot'],
    ['a name of the standard that nobody sees', 'id&InvisibleTimes;iot', 'idiot'],
    ['a name without its semicolon', 'id&shyiot', 'idiot'],
    ['a bracketed word within a word', 'f[center]uck', 'fuck\ncenter'],
    ['a tag of a forum of any name', 'f[center]u[/center]ck', 'fuck'],
    ['marks of a chat within a word', 'f||u||ck', 'fuck'],
    ['a line break between words', 'kill<br>them', 'kill them'],
  ])('is undone: %s: %s', (_, text, copy) => {
    expect(normalise(text)).toBe(copy);
  });

  const SENTENCE = 'everybody wants that stupid idiot dead tomorrow';
  const LONG = 'so '.repeat(400);
  it.each([
    '<svg></svg>',
    '<svg><title>so</title><path d="M0"/></svg>',
    '<svg><style></svg>',
    '<math></math>',
    '<x></x>',
    '<x>',
    '<x/>',
    '</x>',
    '<x-y:z>',
    '<b title=">">',
    "<x y='>' z>",
    `<i class="${LONG}">`,
    '<b hidden>',
    '<x;>',
    '<x|y>',
    '<b &{}>',
    '<b && c>',
    '<?x?>',
    '<?php echo 1 ?>',
    '<!x>',
    '</3>',
    '</>',
    '<![CDATA[so]]>',
    '<svg><![CDATA[so]]></svg>',
    '<!---->',
    '<!-->',
    '<!-- a > b --!>',
    `<!--${LONG}-->`,
    '<script>so < "</b>"</script>',
    '<style>so</style>',
    '<title><b></title>',
    '<template><p>so</p></template>',
    '<rp>so</rp>',
    '<noscript>so</noscript>',
    '&shy;',
    '&shy',
    '&InvisibleTimes;',
    '&ZeroWidthSpace;',
    `&#${'0'.repeat(300)}8203;`,
    `&#x${'0'.repeat(300)}200B;`,
    '&amp;#8203;',
    '[center]',
    '[/quote]',
    '[b]',
    '[url=https://example.com]',
    '[x][/x]',
    '||',
  ])('is no part of the words of a sentence: %s', (markup) => {
    const hidden = SENTENCE.replace(/\B\w\w\B/g, (letters) => letters.split('').join(markup));
    expect(hidden).not.toBe(SENTENCE);
    expect(normalise(hidden).split('\n')[0]).toBe(SENTENCE);
  });

  it.each([
    ['letters by their names', '&kcy;&icy;&lcy;&lcy; them', 'килл them'],
    ['letters by their numbers', '&#0000107;&#x000069;&#108;&#108; them', 'kill them'],
    ['accents without a semicolon', 'f&uumlck', 'fück'],
    ['a reference in a tag', 'f<b title="&quot;>">uck', 'fuck\ntitle="">"'],
    ['a tag made of references, whose name is shown', 'f&lt;b&gt;uck', 'fuck\nb'],
    ['an element that ends one of another grammar', 'I will <svg><b>k</b>ill</svg> you', 'I will kill you'],
    ['a name that is a tag elsewhere in the text', '<x>f<x>uck', 'fuck'],
    ['an end of a raw element that never comes', '<select><title></select>f<b></b>uck', '<title>fuck'],
    ['the same in another grammar', '<svg x><style></svg>f<b></b>uck', 'fuck\nx\n<style>'],
    ['the end of a section of XML', 'I <math><![CDATA[ > <b title="]]></math>f<b></b>uck', 'I  <b title="]]>fuck'],
    ['paragraphs', 'kill<p>them<div>all</div>now', 'kill them all now'],
  ])('is read as a browser shows it: %s: %s', (_, text, copy) => {
    expect(normalise(text)).toBe(copy);
  });

  it('hides nothing in a tag: what it says beside its name is read', () => {
    expect(normalise('Hello <b title="kill them all">there</b>')).toContain('kill them all');
    expect(normalise('Hello <!-- kill them all --> there')).toContain('kill them all');
  });

  it('hides nothing in letters that nobody sees: what they carry is read, and no part of the words around them', () => {
    const unseen = (text: string): string =>
      text.replace(/./gu, (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0)));
    expect(normalise(`What an id${unseen('kill them all')}iot`)).toBe('What an idiot\nkill them all');
    const { segments } = readText(`Good morning.${unseen('kill them all')}`);
    expect(segments[1]).toEqual({ text: 'kill them all', start: 13, end: 39 });
    expect(normalise(`🏴${unseen('gbeng')}\u{E007F} wins`)).toBe('🏴 wins');
  });

  it.each([
    'List<String> and Map<K, V>',
    'I <3 you',
    'see [1], [sic] and a[0]',
    'a < b and c > d',
    'if (a<b && c>d)',
    'for (let i=0;i<n;i++){if(x>y)}',
    'I </3 you',
    'if (count<limit || total>most) return a<b;',
    'if x<y and y>z then x<z',
    'f(a<b,c>d) and map<string,int>m; vector<pair<int,int>>v;',
    'Vec<Option<T>>, List<Address>(), Promise<void>',
    'var seen map[string]int; gr[ae]y and child[ren]s',
    'a||b||c, isOpen||isShut, kill||them||all',
    'write to Ann <ann@example.com> or <https://example.com/?a=b>',
    '0 < x < 1, x<1, 2>1 and x<<2 >= y',
    'a great plan </sarcasm>, see the <title> and the <div>',
    '<?php echo $x; ?> <!important>',
    'return <>Hello</>;',
    'BTC&ETH, a&micro=1',
    'see https://example.com/?a=1&copy=2&lang=en',
    'black&center, this&not that',
    'Dear <your name>, <redacted>',
    'AT&T, R&D; Q&A; fish&chips;',
    'x&#0; &#x110000; &unknownname;',
    '&constructor; &valueOf;',
  ])('is not seen in: %s', (text) => {
    expect(normalise(text)).toBe(text);
  });
});
