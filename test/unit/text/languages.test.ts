/**
 * The promise that ordinary text of any language comes out of the normaliser unchanged but for NFKC. The sentences here are the project's
 * own. With HARMLESS_SENTENCES, a file of JSON lines with the members text and lang (.jsonl, or .jsonl.xz where the command xz is
 * installed), the same is asked of those, as a share of the sentences of each language.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { normalise } from '../../../src/text/normalise.js';

const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  English: ['My sister’s café sells the best apple pie in town; it costs £3.50.', 'Isn´t it odd? He’ll see.'],
  German: [
    'Statt der Straßenbahn nehmen wir heute das Fahrrad, bitte.',
    'Das Wetter soll am Wochenende schöner werden, hat er gesagt.',
  ],
  French: ['La bonne fille de Lille a mille idées pour l’été.', 'Mᵐᵉ Dupont habite au 1ᵉʳ étage, n’est-ce pas ?'],
  Spanish: [
    'La niña corre por la calle llena de flores, ¿verdad?',
    'El 1.º de mayo es fiesta; la 2.ª sesión empieza a las 8.',
  ],
  Portuguese: ['A irmã dele corre todas as manhãs até à praia.', 'Amanhã não há pão na padaria da avó.'],
  Italian: ['Le donne del paese cantano mille canzoni.', 'Perché non vieni a cena da noi stasera?'],
  Dutch: ['De kat staat nu de hele dag voor het raam.', 'Er staan drie kleine bootjes in de haven, zegt zij.'],
  Danish: ['Det er samme vej som i går, sagde hun på øen.', 'Rødgrød med fløde smager bedst om sommeren.'],
  Swedish: ['Pappa ligger på soffan i en timme.', 'Vi åker till sjön när snön har smält.'],
  Finnish: ['Me emme saa ruokaa ennen kuin pappa tulee.', 'Hyvää yötä, nähdään huomenna järvellä.'],
  Estonian: ['Õues sajab juba mitu tundi vihma ja lund.', 'Kolm meest töötas terve öö jäääärel.'],
  Polish: ['Łódka płynie przez żółte jezioro pod Łodzią.', 'Zażółć gęślą jaźń, powiedział dziadek.'],
  Czech: ['Příliš žluťoučký kůň pije čistou vodu.', 'Naše babička peče švestkový koláč.'],
  Hungarian: ['Semmi baj, holnap újra találkozunk a térnél.', 'Az őszi erdő gyönyörű színekben pompázik.'],
  Romanian: ['Copiii se joacă în grădina școlii.', 'Mâine mergem la țară să vedem oile.'],
  Turkish: ['Yeni madde yarın yürürlüğe giriyor, değil mi?', 'İstanbul’da ılık bir akşam, çay içiyoruz.'],
  Vietnamese: [
    'Đường phố Hà Nội đông đúc vào buổi sáng.',
    'Em bé đang ngủ, đừng nói to nhé.',
    'Tiếng Việt có dấu.'.normalize('NFD'),
  ],
  Indonesian: ['Anak-anak bermain di halaman sekolah setiap sore.'],
  Yoruba: ['Ẹ kú àárọ̀, ṣé ẹ sùn dáadáa? Mo fẹ́ ra ẹ̀wà àti ọ̀gẹ̀dẹ̀.'],
  Hawaiian: ['Aloha kakahiaka, e ka ʻohana o Hawaiʻi. He nani ka ʻāina.'],
  Uzbek: ['Oʻzbekistonda bahor juda goʻzal, maʼno bor.'],
  Greek: ['Καλημέρα, τι κάνετε σήμερα; Το ψωμί είναι ζεστό.', 'Το κακό και το καλό.'],
  Russian: [
    'За́мок стоит на горе, а замо́к висит на двери.',
    'Мы купили iPhone и USB-кабель в магазине №5.',
    'Он сел на стул и ест сыр: соска и сосок, роса и оса.',
  ],
  Ukrainian: [
    'Мар’яна п’є каву, її об’єднання працює.',
    'Комп’ютер зʼявився торік у нашому подвір’ї.',
    'Кроки нашi ставали тихi.',
  ],
  Bulgarian: ['Днес времето е хубаво и слънчево в София.'],
  Serbian: ['Њихова кућа је близу реке, ђаци иду у школу.'],
  Armenian: ['Բարեւ Ձեզ, այսօր եղանակը լավ է։'],
  Georgian: ['დღეს კარგი ამინდია, წავიდეთ ტყეში.'],
  Hebrew: ['שָׁלוֹם עֲלֵיכֶם, הַיּוֹם יָפֶה.', 'קניתי ספר חדש אתמול בצהריים.'],
  Arabic: ['نجلس معا ً في الحديقة.', 'مَرْحَبًا، كَيْفَ حَالُكَ؟', 'مـــرحـــبـــا بكم في المكتبة', 'وصل القطار في الساعة ٣٫٣٠.'],
  Persian: ['می‌خواهم کتاب‌های تازه را ببینم.', 'خانه‌ی ما نزدیک رودخانه است.'],
  Urdu: ['آج موسم بہت اچھا ہے، چلیں باغ میں۔'],
  Hindi: ['क्‍यों नहीं, किस्‍मत अच्छी है।', 'मैं कल सुबह ५ बजे स्टेशन पहुँचूँगा।'],
  Marathi: ['आज हवामान छान आहे, आपण फिरायला जाऊ या.'],
  Bengali: ['আমি প্রতিদিন সকালে চা খাই আর র‍্যাক গুছাই।'],
  Tamil: ['இன்று வானிலை நன்றாக இருக்கிறது.'],
  Telugu: ['ఈ రోజు వాతావరణం చాలా బాగుంది.'],
  Malayalam: ['അവര്‍ പുതിയ രീതിയില്‍ പാചകം ചെയ്യുന്നു.'],
  Thai: ['เด็ก ๆ เล่นน้ำที่ชายหาดทุกวัน', 'ราคา 50 บาทค่ะ 555'],
  Chinese: ['今天天气很好，我们去公园散步吧！', '我的iPhone坏了，价格是¥3000。'],
  Japanese: ['人々はコーヒーを飲みながら話した。', 'Tシャツを買った♪ すごいー！', 'PCが壊れたので、Wi-Fiも使えない。'],
  Korean: ['진짜 웃기다 ㅋㅋㅋ 그래도 좋아 ㅠㅠ', 'Netflix를 보다가 PC가 꺼졌어요.'],
};

describe('ordinary text is unchanged but for NFKC', () => {
  const cases = Object.entries(SENTENCES).flatMap(([language, texts]) =>
    texts.map((text) => [language, text] as const),
  );
  it.each(cases)('in %s: %s', (_, text) => {
    expect(normalise(text).normalize('NFKC')).toBe(text.normalize('NFKC'));
  });
});

/** Slips, soft hyphens and words that are spelt like stretched English ones. */
const MOST_CHANGED = 0.015;
const FEWEST_SENTENCES = 100;
const FILE = process.env.HARMLESS_SENTENCES;
const TIME_LIMIT_MS = 600_000;

describe('sentences that people read out', () => {
  it.skipIf(FILE === undefined)(
    `of ${FILE ?? 'HARMLESS_SENTENCES, a file which is not named here, so this is skipped'} are mostly unchanged in each language`,
    () => {
      const languages = new Map<string, { sentences: number; changed: number }>();
      for (const line of linesOf(FILE ?? '')) {
        const { text, lang } = row.parse(JSON.parse(line));
        const counted = languages.get(lang) ?? { sentences: 0, changed: 0 };
        counted.sentences += 1;
        if (normalise(text).normalize('NFKC') !== text.normalize('NFKC')) counted.changed += 1;
        languages.set(lang, counted);
      }
      for (const [lang, { sentences, changed }] of [...languages].sort()) {
        console.info(`${lang}: ${changed} of ${sentences} changed, ${((changed / sentences) * 100).toFixed(2)} %`);
      }
      const tooMany = [...languages].filter(
        ([, { sentences, changed }]) => sentences >= FEWEST_SENTENCES && changed > MOST_CHANGED * sentences,
      );
      expect(tooMany).toEqual([]);
    },
    TIME_LIMIT_MS,
  );
});

const row = z.object({ text: z.string(), lang: z.string() });

function linesOf(file: string): string[] {
  const content = file.endsWith('.xz')
    ? execFileSync('xz', ['--decompress', '--stdout', file], { encoding: 'utf8', maxBuffer: 2 ** 30 })
    : readFileSync(file, 'utf8');
  return content.trimEnd().split('\n');
}
