/** How single tokens are read: where the word ends and punctuation begins, what a sign stands for, what is no disguise. */
import { describe, expect, it } from 'vitest';
import { revealDisguisedWords } from '../../../../src/text/disguises/disguised-words.js';
import { PlacedText } from '../../../../src/text/placed-text.js';

type Reading = readonly [why: string, token: string, expected: string];

const readings: Reading[] = [
  ['a sign before the word is its first letter', '!d1ot', 'idiot'],
  ['punctuation before that sign stays', '¡!d1ot', '¡idiot'],
  ['signs after a word of signs are its last letters', 'k1!!', 'kill'],
  ['punctuation after those stays', 'k1!!,', 'kill,'],
  ['punctuation on both sides stays', '"k1ll"', '"kill"'],
  ['stars after a letter are a mask', 'f***', 'fuck'],
  ['an exclamation mark after a mask is none', 'f***!', 'fuck!'],
  ['two number signs are a mask', 'sh##', 'shit'],
  ['signs on both sides are letters', '!ynche|)', 'lynched'],
  ['quotation marks inside part words', 'the"k1ll"er', 'the"kill"er'],
  ['stars around a word are emphasis', '**f**k**', '**fuck**'],
  ['an at sign before a word is kept', '@f*ck', '@fuck'],
  ['a hash before a word is kept', '#sh1t', '#shit'],
  ['a common word that begins with a digit', '7heir', 'their'],
  ['a less common word', 'Encycl0pedic', 'Encyclopedic'],
  ['a listed word among signs that part words', 'a~sh1t~b', 'a~shit~b'],
  ['a mask in one half of a compound', 'mother-f*cker', 'mother-fucker'],
  ['each word of a text that has commas for spaces', 'sh1t,f*ck', 'shit,fuck'],
  ['ordinary words of such a text too', 'h3ll0,w0rld', 'hello,world'],
  ['stretched signs', 'sh111t', 'shit'],
  ['stretched signs where the word has two', 'a$$$$', 'ass'],
  ['letters drawn with signs', '|=uc|<', 'fuck'],
  ['symbols alone', '@$$', 'ass'],
  ['symbols alone before an exclamation mark', '@$$!', 'ass!'],
  ['punctuation between letters', 'fu..ck', 'fuck'],
  ['digits among letters with punctuation between', '5.h.1.t', 'shit'],
  ['the same where the digit comes last', 's.h.1.7', 'shit'],
  ['several apostrophes between letters', "s'h'it", 'shit'],
  ['one letter and stars', 'b*****', 'bitchy'],
  ['two letters of four', 'f#*k', 'fuck'],
  ['three letters of five', 'b#t#h', 'bitch'],
  ['a mask in place of a vowel', 'h*te', 'hate'],
  ['a mask in place of a consonant, sooner a common word', 'ha*e', 'have'],
  ['a common word of which one letter is masked', 'som*one', 'someone'],
  ['a less common word of which one letter is masked', 'encyclop#dic', 'encyclopedic'],
  ['the common word of two that fit', 'wor@s', 'words'],
  ['a group of people', 'homo@exual', 'homosexual'],
  ['sooner what people hide than a common word', 'g#ys', 'gays'],
  ['what people hide, though its halves are words', 'as*hole', 'asshole'],
  ['the same, of which one half is a short word', 'go*damn', 'goddamn'],
  ['what people hide, though a part of it is a word', 'shit_ead', 'shithead'],
  ['an ordinary word, though its halves are words', 'ass@me', 'assume'],
  ['sooner a common word than what people hide with a sign between', 'fa#t', 'fact'],
  ['the letter that a sign looks like, where that makes a common word', 'f@ct', 'fact'],
  ['a word before an apostrophe', "di@n't", "didn't"],
  ['a common word with a capital', 'W*rld', 'World'],
  ['a common word with a sign for its letter', 'd@rk', 'dark'],
  ['digits in a common word', 'h3ll0', 'hello'],
  ['digits in a common word in capitals', 'H3LL0', 'HELLO'],
  ['capitals throughout', 'PU55Y', 'PUSSY'],
  ['a capital at the start', 'Sh1t', 'Shit'],
  ['a capital elsewhere is lost', 'sH1t', 'shit'],
  ['a single capital says nothing of the rest', 'F***', 'Fuck'],
  ['digits first', '4SS', 'ASS'],
  ['three characters in lower case', 'a55', 'ass'],
  ['three characters of which one is a digit', 'G4y', 'Gay'],
  ['several tokens', 'you 1d10t!  f*ck', 'you idiot!  fuck'],
];

const unchanged: (readonly [why: string, token: string])[] = [
  ['an address', 'https://example.com/f4ggot'],
  ['a word and an exclamation mark', 'shit!'],
  ['a word and a star', 'as*'],
  ['a word and a footnote', 'ass*'],
  ['a word that is too short', 'a$'],
  ['dots alone', '...'],
  ['a rule', '-----'],
  ['brackets alone', '()'],
  ['a letter before what would be a word', 'xsh1t'],
  ['letters and one sign that ends a word', 'fuc#'],
  ['letters and a dash that ends a word', 'fuc-'],
  ['half of a compound, whatever its capitals', 'fUcK-you'],
  ['words of their own, before a star', 'mind.fuck*'],
  ['words of their own around a sign, without one that has a letter more', 'you@they'],
  ['words of their own around a dash', 'an-way'],
  ['words of their own around a digit', 'go7ten'],
  ['a letter and a row of lines', 'f______'],
  ['a quantity', '94y'],
  ['a number', '455'],
  ['a name of a letter and two digits', 'A55'],
  ['digits at both ends, with punctuation between', '5.h.1.7'],
  ['one apostrophe', "sh'it"],
  ['words of their own, joined', 'kill_all'],
  ['words of their own, without a space', 'you!they'],
  ['words of their own that would make another with a letter between', 'go!damn'],
  ['a word with a prefix', 're-do'],
  ['a word with a prefix that would make another with a letter between', 're-use'],
  ['one letter of four', 'f#*#'],
  ['two letters of five', 'b#*#h'],
  ['a masked word of three letters that is only common', 'c*r'],
  ['a common word with two masks', 'wh*t*ver'],
  ['words of their own around stars', 'f***you'],
  ['signs without a letter', '1!1'],
  ['a code', 'r2d2'],
  ['a numeronym', 'l10n'],
  ['an address of mail in short', 'a@b'],
];

describe('a disguised word', () => {
  it.each(readings)('is read: %s (%s)', (_, token, expected) => {
    expect(revealDisguisedWords(new PlacedText(token)).text).toBe(expected);
  });

  it.each(unchanged)('is not %s (%s)', (_, token) => {
    expect(revealDisguisedWords(new PlacedText(token)).text).toBe(token);
  });
});

describe('a masked word that may be a common one as well', () => {
  it.each([
    ['you dirty wh*re', 'you dirty whore'],
    ['wh*re', 'whore'],
    ['Wh*re does this co*e from?', 'Where does this come from?'],
    ['What do th#y say, wh#re?', 'What do they say, where?'],
    ['M*nsch, d*r is ein Arschl*ch', 'Mensch, der is ein Arschloch'],
    ['the only wh*re in th#s town', 'the only where in this town'],
    ['g*ys, f*ck', 'gays, fuck'],
    ['you g*ys are the be#t', 'you gays are the best'],
    ['dirty g*ys, ma#y of them', 'dirty gays, many of them'],
    ['th#y know that you s*ck', 'they know that you suck'],
    ['th#s is what we s*ck at', 'this is what we suck at'],
  ])('is read by what else is masked: %s', (text, expected) => {
    expect(revealDisguisedWords(new PlacedText(text)).text).toBe(expected);
  });
});

describe('a token that is too long for a word', () => {
  const filler = 'x-'.repeat(40);

  it('is read part by part', () => {
    expect(revealDisguisedWords(new PlacedText(`${filler}sh1t-1d10t`)).text).toBe(`${filler}shit-idiot`);
  });
});
