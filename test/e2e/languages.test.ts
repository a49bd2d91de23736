/** The served model of many languages: what it says of a kind and of a rude sentence in each. All sentences were written for this test. */
import { describe, expect, it } from 'vitest';
import type { AnalyzeResponse } from '../../src/http/routes/schemas.js';
import { analyze, analyzeInDetail, startServiceForAll, type ReadyService } from '../support/service.js';

const SENTENCES: readonly (readonly [language: string, kind: string, rude: string])[] = [
  ['en', 'Thank you, the pictures of your garden are lovely.', 'You are a pathetic idiot, shut up.'],
  ['es', 'Muchas gracias por la ayuda, nos vemos mañana.', 'Eres un imbécil de mierda, cállate.'],
  ['fr', 'Merci beaucoup pour votre aide, à demain.', 'Ferme ta gueule, espèce de connard.'],
  ['de', 'Vielen Dank für die Hilfe, bis morgen.', 'Halt die Fresse, du dummes Arschloch.'],
  ['pt', 'Muito obrigado pela ajuda, até amanhã.', 'Cala a boca, seu idiota de merda.'],
  ['it', 'Grazie mille per il tuo aiuto, a domani.', 'Stai zitto, brutto stronzo.'],
  ['nl', 'Hartelijk dank voor je hulp, tot morgen.', 'Hou je bek, achterlijke klootzak.'],
  ['pl', 'Bardzo dziękuję za pomoc, do jutra.', 'Zamknij się, ty pierdolony debilu.'],
  ['cs', 'Moc děkuji za pomoc, uvidíme se zítra.', 'Drž hubu, ty debile zasraný.'],
  ['sv', 'Tack så mycket för hjälpen, vi ses i morgon.', 'Håll käften, din jävla idiot.'],
  ['ru', 'Большое спасибо за помощь, до завтра.', 'Заткнись, тупой ублюдок.'],
  ['uk', 'Щиро дякую за допомогу, побачимося завтра.', 'Заткни пельку, тупий виродку.'],
  ['tr', 'Yardımın için çok teşekkürler, yarın görüşürüz.', 'Kapa çeneni, geri zekalı orospu çocuğu.'],
  ['ar', 'شكرا جزيلا على المساعدة، أراك غدا.', 'اخرس يا كلب يا حقير.'],
  ['hi', 'मदद के लिए बहुत धन्यवाद, कल मिलते हैं।', 'चुप कर, हरामी कुत्ते।'],
  ['hi-Latn', 'Madad ke liye bahut dhanyavaad, kal milte hain.', 'Chup kar, madarchod kutte.'],
  ['id', 'Terima kasih banyak atas bantuannya, sampai jumpa besok.', 'Diam kau, dasar anjing goblok.'],
  ['ja', '手伝ってくれてありがとう、また明日ね。', '黙れ、このクソ野郎。'],
  ['ko', '도와주셔서 정말 감사합니다, 내일 봐요.', '닥쳐, 이 병신 새끼야.'],
  ['zh', '非常感谢你的帮助，明天见。', '闭嘴，你这个傻逼。'],
  ['vi', 'Cảm ơn bạn rất nhiều vì đã giúp đỡ, hẹn gặp lại ngày mai.', 'Câm mồm đi, đồ chó ngu.'],
];

/** The card has how often it errs; here only so much that a broken model would show. */
const RIGHT = SENTENCES.length - 1;

describe('the service on the model of many languages', () => {
  let service: ReadyService;
  startServiceForAll((started) => (service = started), { MODEL_DIR: 'models/parapet-multi' });

  it.each(SENTENCES)('tells %s', async (language, kind) => {
    expect(await analyzeInDetail(service, kind)).toMatchObject({ details: { language } });
  });

  it('passes kind sentences, with one language in twenty wrong at the most', async () => {
    expect((await judged(([, kind]) => kind)).filter(({ passed }) => passed).length).toBeGreaterThanOrEqual(RIGHT);
  });

  it('fails rude sentences as toxic, with one language in twenty wrong at the most', async () => {
    const right = (await judged(([, , rude]) => rude)).filter(
      ({ passed, categories }) => !passed && categories.includes('toxic'),
    );
    expect(right.length).toBeGreaterThanOrEqual(RIGHT);
  });

  async function judged(sentenceOf: (each: (typeof SENTENCES)[number]) => string): Promise<AnalyzeResponse[]> {
    const verdicts: AnalyzeResponse[] = [];
    for (const each of SENTENCES) verdicts.push(await analyze(service, sentenceOf(each)));
    return verdicts;
  }
});
