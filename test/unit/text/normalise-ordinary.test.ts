/** Ordinary text must not be taken for disguised text: every change costs a second pass and may change the meaning. */
import { describe, expect, it } from 'vitest';
import { deobfuscate, looksDifferent } from '../../../src/text/normalise.js';

const unchanged = [
  'The quick brown fox jumps over the lazy dog.',
  'I paid $5.99 for 2 coffees and £3 for a bagel, 20% off!',
  'Meet me at 10:30am or 4pm; the train leaves at 17:45.',
  'Call +1 (555) 010-9999 or 0800 123 4567 before 5pm.',
  'See https://example.com/a1b2?x=4&y=5#s3ction and www.example.org/f4q.',
  'Mail jane.d0e+test@mail.example.co.uk, please.',
  'const x1 = arr[0] + b2 * 3; // TODO: fix utf8 in b64',
  'Upgrade from v1.2.3-beta4 to 2.0.0-rc.1, then run npm i -D vitest@4.',
  'So happy for you 😀😀 ❤️ 👨‍👩‍👧 👍🏽 🇺🇸🇬🇧 1️⃣ 🏳️‍🌈',
  'Loved it! #MondayMotivation #web3 #100days @some_user99 @l33tcoder',
  "I can't believe it's not what they'd said: we'll see, he'll go, she'd stay.",
  'That is someone else`s pic, isn´t it?',
  '“Curly quotes” and ‘single ones’ — with an em dash… and an ellipsis.',
  '**Bold**, _italic_, `code1`, ~~gone~~ and [a link](https://example.com).',
  'Pick one: a) red b) blue c) green d) none',
  'a b c d e f g',
  'A, B, C and D are points on a circle.',
  'We saw a carp, two gnus and a form of trial on the trail; the sliver of silver was quiet, quite.',
  'J. R. R. Tolkien and C. S. Lewis taught there.',
  'J.W. Marriott, P.G. Wodehouse, K.S. Ranjitsinhji, A.S. Byatt and D.E. Shaw',
  'Vitamin D+E, rows F-G, size S_M',
  'Press **K** to mute and __F__ to pay respects. **A**: Paris. I love *rap* music and my *hat*.',
  'King Cnut read Bobos in Paradise by the poet Prevert; her crepey skin',
  'kkkkkk muito bom',
  'An annus mirabilis at Monte Cassino, on the SCUMM engine',
  'A Tesla Model S ex VAT; vitamin D ie a hormone',
  'The answers are D, I, E.',
  'The U.S.A. and the U.K. signed; the F.B.I. did not, e.g. in D.C.',
  '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5',
  'H2O, CO2, NaCl, C6H12O6, H2SO4 and CH4',
  'We won 3-0 at home and lost 1-2 away.',
  'C3PO and R2-D2 met BB-8.',
  'A$AP Rocky played after the AC/DC cover band.',
  'covid19, COVID-19, iphone14, h264, mp3, utf8, b64, sha256, x86, win10, ps5',
  'i18n, l10n, a11y and k8s are numeronyms',
  'Reach level5 in room5 with a B055 amp, seat A7',
  'The 2nd, 3rd and 4th of 10x 3D B2B demos took 5min each.',
  'Size 10.5mm x 4cm, 80MB of RAM, 5kg, 1080p at 60fps',
  'commit deadbeef01 or 0x1F4A9, id a1b2c3d4e5f6, uuid 3f2504e0-4f89-11d3',
  'x = a + b * c / d - e',
  'if (a && b || !c) { return i++; }',
  'Room 101, Gate B12, Highway A55, Route 66, Boeing 747, an AK47',
  'My dad is 6ft 2in tall and weighs 80kg.',
  'Type O- blood, vitamin B12, and 5-HT receptors',
  'AT&T, R&B, Q&A, M&Ms and H&M',
  "P&G's soap, P&G and the C&M bank",
  'C++ and C# and F# are languages',
  'Yahoo! and Jeopardy! end in an exclamation mark!!!',
  "rock'n'roll, o'clock, y'all, 'tis",
  'e-mail, x-ray, t-shirt, co-op, re-do, mother-in-law, up-to-date',
  'get_user_by_id, my_var_2, snake_case_name, camelCase1, CONST_A',
  'either/or, and/or, w/o, n/a, 24/7, s/he',
  'World War III, Henry VIII, Rocky III, XXX, size XXXL',
  'www, AAA batteries, zzz, mmm',
  'My pen is red. Her art is hit or miss.',
  '(rap music is a genre) (unto us)',
  'She rapped while he assessed the class; the assassin passed.',
  'He lives in Scunthorpe, near Penistone, and reads Dickens.',
  'W A S D to move, C G D A E to tune',
  'W W L D W is their form',
  'Tel: 555-0100 ext. 4, P.O. Box 12',
  'Temperature: -5°C to 23°C (±2°), ½ cup, 3² = 9, 10⁻³, №5, ™, ©2024, ®',
  'naïve café résumé jalapeño Ångström Zürich Łódź København',
  '5 µm, 10 kΩ, Δx and α, β are fine; λ = 2π/ω',
  '2024-05-01T10:00:00Z, 01/02/2024, 5.6.24',
  'S&P 500 up 1.2%, $AAPL +3%, $TSLA -2%, 10k followers, €20m',
  '>:( :-) ;) <3 xD \\o/ ¯\\_(ツ)_/¯',
  '----- ===== ***** ..... !!!!! ?????',
  '- item one\n- item two\n\n1. first\n2. second\n\t* nested',
  'SELECT * FROM users WHERE id = 5 AND name != "x";',
  'Kind regards,\r\nA. B. Cole, Ph.D., M.D.',
  'ab, an, a, I, u, ok, so, no',
  'The int *ptr and char **argv; f(*args, **kwargs); 2**8; *.ts; a*b',
  'Chapter 4, page 77: "Who knows?" he asked; nobody did.',
  'kill -9 1234; git reset --hard HEAD~1',
  'gr8, m8, l8r, b4, 2day, 4ever',
];

const otherLanguages = [
  'Привет, как дела? Он сел на стул и ест сыр. Её зовут Анна.',
  'Соска и сосок, роса и оса.',
  'Καλημέρα, τι κάνετε; Το κακό και το καλό.',
  'Բարեւ Ձեզ, ինչպե՞ս եք',
  'مَرْحَبًا كَيْفَ حَالُكَ',
  'שָׁלוֹם עֲלֵיכֶם',
  'नमस्ते, आप कैसे हैं? क्या हाल है?',
  'สวัสดีครับ น้ำ ที่นี่',
  '你好，世界！这是一个测试。',
  'こんにちは、Tシャツは五つです。がぎぐ',
  '안녕하세요 ㅋㅋㅋ',
  'Ça va très bien, où êtes-vous ? Señor Núñez, größer, ığdır',
  'Tiếng Việt: Nguyễn Thị Hồng',
];

describe('deobfuscate leaves ordinary text alone', () => {
  it.each(unchanged)('%j', (text) => {
    expect(deobfuscate(text)).toBe(text);
  });

  it.each(otherLanguages)('in other languages: %j', (text) => {
    expect(deobfuscate(text)).toBe(text.normalize('NFC'));
  });
});

describe('looksDifferent spares a second pass', () => {
  it.each([
    ['accents', 'cafe\u0301 cafe\u0301'],
    ['a zero-width space', 'zero\u200bwidth'],
    ['a byte order mark', '\ufeffHello there'],
    ['a subdivision flag', 'Go 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}!'],
    ['variation selectors', 'sun\ufe0e and ☀\ufe0f'],
    ['bidi marks', '\u200fשלום\u200e'],
    ['zalgo, which the tokenizer strips itself', 'h\u0336\u0316i\u0301'],
    ['Persian joiners', 'می\u200cخواهم'],
    ['a lone surrogate', 'a\ud800b'],
  ])('for %s', (_, text) => {
    expect(looksDifferent(text, deobfuscate(text))).toBe(false);
  });

  it('for a text that is its own copy, and for other case or whitespace', () => {
    expect(looksDifferent('abc', 'abc')).toBe(false);
    expect(looksDifferent('Abc  def', 'abc\ndef ')).toBe(false);
    expect(looksDifferent('a,b', 'a , b')).toBe(false);
  });

  it('and pays for it when words, punctuation or word borders changed', () => {
    expect(looksDifferent('f u c k', 'fuck')).toBe(true);
    expect(looksDifferent('sh1t', 'shit')).toBe(true);
    expect(looksDifferent('a.b', 'ab')).toBe(true);
    expect(looksDifferent('fuсk', 'fuck')).toBe(true);
    expect(looksDifferent('你好', '你')).toBe(true);
    // The tokenizer makes letters small, which leaves ß as it is.
    expect(looksDifferent('Straße', 'strasse')).toBe(true);
  });
});
