/** What normalise makes of each kind of disguise. The words are offensive because such words are what people disguise. */
import { describe, expect, it } from 'vitest';
import { normalise } from '../../../src/text/normalise.js';

type Pair = readonly [disguised: string, expected: string];

/** Each letter under a pile of marks. */
function zalgo(word: string): string {
  return Array.from(word, (letter) => letter + '\u0300\u0316\u0351\u0349'.repeat(8)).join('');
}

const leetspeak: Pair[] = [
  ['sh1t', 'shit'],
  ['5h1t', 'shit'],
  ['$h1t', 'shit'],
  ['b1tch', 'bitch'],
  ['4sshole', 'asshole'],
  ['@$$hole', 'asshole'],
  ['f4gg0t', 'faggot'],
  ['n1gg3r', 'nigger'],
  ['r3t4rd', 'retard'],
  ['1d10t', 'idiot'],
  ['k1ll y0ur53lf', 'kill yourself'],
  ['y0u 4r3 4 m0r0n!', 'you are 4 moron!'],
  ["y0u're d34d", "you're dead"],
  ['h3ll0 th3r3 my fr13nd', 'hello there my friend'],
  ['b00b5', 'boobs'],
  ['8itch', 'bitch'],
  ['fu(k', 'fuck'],
  ['#f4gg0t', '#faggot'],
  ['@d1ckhead', '@dickhead'],
  ['k1!! them', 'kill them'],
  ['what a pr1ck!!!', 'what a prick!!!'],
  ['an int3resting p0tter', 'an interesting potter'],
  ['Ju57 5hu7 7h3 fuck up, w1ll y0u', 'Just shut the fuck up, will you'],
];

const spacing: Pair[] = [
  ['k i l l', 'kill'],
  ['f u c k you', 'fuck you'],
  ['f u c k  y o u', 'fuck  you'],
  ['f u c k y o u', 'fuck you'],
  ['k i l l y o u r s e l f', 'kill yourself'],
  ['you are a b i t c h', 'you are a bitch'],
  ['I h a t e you', 'I hate you'],
  ['K I L L', 'KILL'],
  ['f  u  c  k', 'fuck'],
  ['k 1 l l', 'kill'],
  ['s h ! t', 'shit'],
  ['f\u00a0u\u00a0c\u00a0k', 'fuck'],
  ['fu ck you', 'fuck you'],
  ['r e t a r d e d', 'retarded'],
];

const homoglyphs: Pair[] = [
  ['ѕhіt', 'shit'],
  ['аss', 'ass'],
  ['уоu аre а mоrоn', 'you are a moron'],
  ['fцск уоu', 'fuck you'],
  ['ѕех with you', 'sex with you'],
  ['dιck', 'dick'],
  ['κill', 'kill'],
  ['ƒυ¢к', 'fuck'],
  ['ｆｕｃｋ', 'fuck'],
  ['ｓｈ！ｔ', 'shit'],
  ['ⓕⓤⓒⓚ', 'fuck'],
  ['🅵🆄🅲🅺', 'FUCK'],
  ['𝖋𝖚𝖈𝖐 𝔂𝓸𝓾', 'fuck you'],
  ['𝗄𝟏𝗅𝗅', 'kill'],
  ['ꜰᴜᴄᴋ', 'fuck'],
  ['ᑕᑌᑎT', 'CUNT'],
];

const zeroWidth: Pair[] = [
  ['f\u200bu\u200bc\u200bk', 'fuck'],
  ['sh\u200dit', 'shit'],
  ['bi\u00adtch', 'bitch'],
  ['\ufeffid\u2060iot', 'idiot'],
  ['ki\u{e0001}ll', 'kill'],
  ['fa\ufe0fggot', 'faggot'],
  ['di\u0000ck', 'dick'],
  ['c\ud800unt', 'cunt'],
  ['\u2068whore\u2069', 'whore'],
  ['\u202etoidi\u202c', 'idiot'],
  ['f\u200b \u200bu \u200bc \u200bk', 'fuck'],
  ['mo\u034fron', 'moron'],
];

const combiningMarks: Pair[] = [
  ['f\u0336u\u0336c\u0336k\u0336', 'fuck'],
  ['i\u0301d\u0308i\u0323o\u0301t', 'idiot'],
  ['s\u0337h\u0337i\u0337t\u0337', 'shit'],
  ['k\u0315\u0322\u0489i\u0334\u0328l\u0358\u035cl\u0321\u0360', 'kill'],
  ['b\u20dfi\u20dft\u20dfc\u20dfh\u20df', 'bitch'],
  [zalgo('ugly'), 'ugly'],
  ['f\u0336 u\u0336 c\u0336 k', 'fuck'],
  ['d\u03011\u0301ck', 'dick'],
];

const stretching: Pair[] = [
  ['fuuuuuck', 'fuck'],
  ['FUUUUUCK', 'FUCK'],
  ['shiiiiit', 'shit'],
  ['biiiitch', 'bitch'],
  ['asssshole', 'asshole'],
  ['stuuuupiiiid', 'stupid'],
  ['loooove', 'love'],
  ['sooooo goooood', 'so good'],
  ['shiit', 'shit'],
  ['killlll', 'kill'],
  ['sh1111t', 'shit'],
];

const masking: Pair[] = [
  ['f*ck', 'fuck'],
  ['f**k', 'fuck'],
  ['F**K', 'FUCK'],
  ['f*** off', 'fuck off'],
  ['f***ing', 'fucking'],
  ['s***', 'shit'],
  ['a******', 'asshole'],
  ['B******', 'Bitches'],
  ['sh!t', 'shit'],
  ['sh*t!', 'shit!'],
  ['b*tch', 'bitch'],
  ['b!tch', 'bitch'],
  ['d!ck', 'dick'],
  ['d*ckhead', 'dickhead'],
  ['a$$', 'ass'],
  ['p*ssy', 'pussy'],
  ['c*nt', 'cunt'],
  ['c**t', 'cunt'],
  ['wh@re', 'whore'],
  ['n*gger', 'nigger'],
  ['n****r', 'nigger'],
  ['f@ck', 'fuck'],
  ['f#ck', 'fuck'],
  ['f_ck', 'fuck'],
  ['sh-t', 'shit'],
  ['a**hole', 'asshole'],
  ['motherf***er', 'motherfucker'],
  ['"f*ck,"', '"fuck,"'],
  ['w*rld', 'world'],
];

const maskedOrdinary: Pair[] = [
  ['You ha*e no idea.', 'You have no idea.'],
  ['I heard t#at before', 'I heard that before'],
  ['I h*te you', 'I hate you'],
  ['a fu*king bi*ch', 'a fucking bitch'],
];

const punctuation: Pair[] = [
  ['f.u.c.k', 'fuck'],
  ['F.U.C.K.', 'FUCK.'],
  ['i-d-i-o-t', 'idiot'],
  ['s_t_u_p_i_d', 'stupid'],
  ['f*u*c*k', 'fuck'],
  ['f/u/c/k', 'fuck'],
  ['f. u. c. k.', 'fuck.'],
  ['f.u.c.k y.o.u', 'fuck you'],
  ['k...i...l...l', 'kill'],
  ["f'u'c'k", 'fuck'],
  ['fu.ck', 'fuck'],
  ['sh-it', 'shit'],
  ['fag_got', 'fag_got'],
  ['mo-ron', 'moron'],
  ['k.y.s', 'kill yourself'],
  ['c~u~n~t', 'cunt'],
];

describe.each([
  ['leetspeak', leetspeak],
  ['spacing', spacing],
  ['homoglyphs', homoglyphs],
  ['zero-width and other invisible characters', zeroWidth],
  ['combining marks', combiningMarks],
  ['stretched letters', stretching],
  ['masked letters', masking],
  ['masked ordinary words beside hostile ones', maskedOrdinary],
  ['inserted punctuation', punctuation],
])('%s', (_, pairs) => {
  it.each(pairs)('%j reads %j', (disguised, expected) => {
    expect(normalise(disguised)).toBe(expected);
  });
});

describe('disguises inside ordinary sentences', () => {
  it.each([
    ['Honestly, you are such an 1d10t, go away.', 'Honestly, you are such an idiot, go away.'],
    ['why dont you just d.i.e already', 'why dont you just die already'],
    ['Go f*ck yourself (and your d0g).', 'Go fuck yourself (and your dog).'],
    ['He said "k i l l them all" on 3.5.2024 at 10:30am', 'He said "kill them all" on 3.5.2024 at 10:30am'],
    [`${'well,then,'.repeat(10)}you,f*cking,1d10t`, `${'well,then,'.repeat(10)}you,fucking,idiot`],
  ])('%j reads %j', (disguised, expected) => {
    expect(normalise(disguised)).toBe(expected);
  });

  it('finds disguises in layers: spaced look-alikes with marks', () => {
    expect(normalise('f\u0336 . ս . ¢ . к')).toBe('fuck');
  });
});
