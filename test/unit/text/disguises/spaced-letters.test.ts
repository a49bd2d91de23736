/** Which letters that stand apart are joined, where the words between them end, and what stays apart. */
import { describe, expect, it } from 'vitest';
import { PlacedText } from '../../../../src/text/placed-text.js';
import { joinBrokenWords } from '../../../../src/text/disguises/broken-words.js';
import { joinSpacedLetters } from '../../../../src/text/disguises/spaced-letters.js';

describe('letters set apart', () => {
  it.each([
    ['a listed word', 'k i l l', 'kill'],
    ['an unlisted word of four letters that reads like English', 'r a n t', 'rant'],
    ['several words, cut where they end', 't h e c a t', 'the cat'],
    ['words of two letters on average', 'a t h e', 'at he'],
    ['a listed word among letters that are none', 'z q f u c k', 'zq fuck'],
    ['words of another language', 'm u é r e t e i d i o t a', 'muérete idiota'],
    ['words of another script', 'т.ы. .и.д.и.о.т', 'ты идиот'],
    ['many letters, whatever they say', 'b l o r g i f y', 'blorgify'],
    ['letters of a script without spaces', 'ไ อ้ โ ง่', 'ไอ้โง่'],
    ['characters of a script without spaces', '你 是 猪', '你是猪'],
    ['a less common word that holds a shorter one', 'h a r a s s i n g', 'harassing'],
    ['a listed word with digits for letters', 'k 1 1 l', 'kill'],
    ['a common word with the less likely letter for a digit', 'w 0 r 1 d', 'world'],
    ['a common word of four', 'c a 1 1', 'call'],
    ['a word with the likeliest letter for a digit', 'r a 1 n i n g', 'raining'],
    ['a word of four with three letters known', 'r a n 7', 'rant'],
    ['a word half of signs', 'w 4 n 7 3 d', 'wanted'],
    ['a word with signs between its letters that can be letters', 'k+i+l+l', 'kill'],
    ['a word with bars between its letters', 'i|d|i|o|t', 'idiot'],
    ['a word with emoji between its letters', 'f❤️u❤️c❤️k', 'fuck'],
    ['an unlisted word beside another that is set apart with the same symbol', 'k◆i◆l◆l x◆y◆z◆q', 'kill xyzq'],
    ['capitals with dots that spell what people hide', 'S.H.I.T', 'SHIT'],
  ])('are joined to %s: %s', (_, text, expected) => {
    expect(joinSpacedLetters(new PlacedText(text)).text).toBe(expected);
  });

  it.each([
    ['where the gap is wider', 'k i l l  n o', 'kill  no'],
    [
      'where the gap is wider, though several spaces stand between letters',
      'k    i    l    l       n    o',
      'kill       no',
    ],
    [
      'where there is a space, though it is shorter than what stands between letters',
      'k𝄃i𝄃l𝄃l t𝄃h𝄃e, n𝄃o𝄃w',
      'kill the, now',
    ],
    ['nowhere, where the gaps are of random widths', 'f  u c   k', 'fuck'],
    ['where the gap has no punctuation and the others have', 'k.i.l.l b.l.o.r.g', 'kill blorg'],
    ['where the line ends', 'k i l l\nb l o r g', 'kill\nblorg'],
    ['at an apostrophe', "j.'.a.d.o.r.e", "j'adore"],
    ['but not at every line where each has one letter', 'k\ni\nl\nl', 'kill'],
  ])('end a word %s: %j', (_, text, expected) => {
    expect(joinSpacedLetters(new PlacedText(text)).text).toBe(expected);
  });

  it.each([
    ['options', 'a b c'],
    ['a formula', 'a+b+c'],
    ['steps', 'a→b→c→d'],
    ['columns', 'a|b|c|d'],
    ['two letters', 'n o'],
    ['three letters that are no familiar word', 'a n x'],
    ['words of one letter each', 'न व क'],
    ['a formula', 'x = a + b * c / d - e'],
    ['words of a letter or two', 'i a m a i u'],
    ['letters that say nothing', 'b l o r g'],
    ['an acronym', 'N.O.W.'],
    ['signs alone', '@ $ $'],
    ['three characters with a sign that only a common word fits', 'y 0 u'],
    ['two letters and two signs', 'r 4 n 7'],
    ['more signs than letters', 'r 4 t 1 n 9 5'],
  ])('stay apart where they are %s: %s', (_, text) => {
    expect(joinSpacedLetters(new PlacedText(text)).text).toBe(text);
  });
});

describe('a word cut in two', () => {
  it.each([
    ['fu ck', 'fuck'],
    ['b itch', 'bitch'],
    ['kill er', 'killer'],
    ['sh it', 'shit'],
    ['bit ch', 'bitch'],
    ['You Sh it!', 'You Shit!'],
  ])('is joined: %s', (text, expected) => {
    expect(joinBrokenWords(new PlacedText(text)).text).toBe(expected);
  });

  it.each([
    ['two words of their own', 'dumb ass'],
    ['a common word and what may be a word', 'an al'],
    ['a letter and a common word', 's hit'],
    ['a common word and a letter', 'as s'],
    ['a word that nobody hides', 'sum mer'],
    ['a word and another of one letter', 'мудак и'],
    ['a word of another language than the text', 'hän tapaa nyt muie rat sen talon'],
  ])('is not %s: %s', (_, text) => {
    expect(joinBrokenWords(new PlacedText(text)).text).toBe(text);
  });
});
