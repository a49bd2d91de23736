/** Promises of the closer look at long texts: at which windows, at what in them, and what becomes of it. */
import { describe, expect, it } from 'vitest';
import type { WindowProbabilities } from '../../../src/inference/classifier.js';
import { createAnalyzer } from '../../../src/moderation/analyzer.js';
import { planCloserLook } from '../../../src/moderation/closer-look.js';
import { combineWindows } from '../../../src/moderation/probabilities.js';
import { createFakeClassifier, windowOf, type FakeJudgement } from '../../support/fake-classifier.js';
import { testManifest } from '../../support/manifest.js';

const manifest = testManifest();
const SENTENCES = ['One is fine. ', 'Two is fine. ', 'Three is bad. ', 'Four is fine. ', 'Five is fine. '];
const TEXT = SENTENCES.join('');

/** A window for each sentence of TEXT, with these probabilities of toxicity. */
function windowsOf(...toxicities: number[]): WindowProbabilities[] {
  let start = 0;
  return toxicities.map((toxicity, index) => {
    const length = SENTENCES[index]?.length ?? 0;
    const window = { ...windowOf({ labels: { toxicity } }, manifest), start, end: start + length };
    start += length;
    return window;
  });
}

/** As many as a closer look takes. */
function sixWindowsOf(...toxicities: number[]): WindowProbabilities[] {
  return windowsOf(...toxicities, ...Array<number>(6 - toxicities.length).fill(0.01));
}

/** A window that decides and covers the whole text, and five others. */
function wholeOf(text: string): WindowProbabilities[] {
  return sixWindowsOf(0.9).map((window, index) => (index === 0 ? { ...window, start: 0, end: text.length } : window));
}

describe('a closer look', () => {
  it('is not taken at a text of fewer than six windows', () => {
    expect(planCloserLook(TEXT, windowsOf(0.9, 0.01, 0.01, 0.01, 0.01), manifest)).toBeUndefined();
    expect(planCloserLook(TEXT, windowsOf(0.9, 0.01, 0.01, 0.01, 0.01, 0.01), manifest)).toBeDefined();
  });

  it('is not taken where no window is half as bad as what scores 4', () => {
    expect(planCloserLook(TEXT, sixWindowsOf(0.02, 0.19), manifest)).toBeUndefined();
    expect(planCloserLook(TEXT, sixWindowsOf(0.02, 0.21), manifest)).toBeDefined();
  });

  it('is taken at the window of the highest risk alone', () => {
    expect(planCloserLook(TEXT, sixWindowsOf(0.3, 0.2, 0.9, 0.8), manifest)?.pieces).toEqual(['Three is bad.']);
  });

  it('goes by risk and not by the label that comes nearest to its own threshold', () => {
    const [insult, threat] = [
      windowOf({ labels: { insult: 0.99 } }, manifest),
      windowOf({ labels: { threat: 0.4 } }, manifest),
    ];
    const windows = [
      { ...insult, start: 0, end: 12 },
      { ...threat, start: 26, end: 39 },
      ...windowsOf(0.01, 0.01, 0.01, 0.01),
    ];
    expect(planCloserLook(TEXT, windows, manifest)?.pieces).toEqual(['Three is bad.']);
  });

  describe('at what is severe', () => {
    const severeOf = (...severities: number[]): WindowProbabilities[] =>
      sixWindowsOf(0.01).map((window, index) => ({
        ...windowOf({ labels: { severe_toxicity: severities[index] ?? 0 } }, manifest),
        start: window.start,
        end: window.end,
      }));
    const threshold = manifest.calibration.thresholds.severe_toxicity;

    it('is taken at the two severest windows, in pieces and sentences', () => {
      const least = 0.03 * threshold;
      const look = planCloserLook(TEXT, severeOf(least, 3 * least, 5 * least, 2 * least, 4 * least), manifest);
      expect(look?.pieces).toEqual(['Three is bad.', 'Five is fine.']);
      const seen = look?.seen(() => severeOf(0.5)) ?? [];
      expect(seen.map(({ sentences }) => sentences?.length)).toEqual([
        undefined,
        undefined,
        1,
        undefined,
        1,
        undefined,
      ]);
    });

    it('is not taken where that is far from its threshold', () => {
      expect(planCloserLook(TEXT, severeOf(0.01 * threshold), manifest)).toBeUndefined();
    });
  });

  describe('at harm apart from toxicity', () => {
    const atSentence = (index: number, labels: NonNullable<FakeJudgement['labels']>): WindowProbabilities => {
      const window = windowsOf(0, 0, 0, 0)[index];
      if (window === undefined) throw new RangeError('no such sentence');
      return { ...windowOf({ labels }, manifest), start: window.start, end: window.end };
    };
    const rest = (toxicity = 0.01): WindowProbabilities[] => windowsOf(toxicity, 0.01, 0.01, 0.01);
    const piecesOf = (...windows: WindowProbabilities[]): readonly string[] | undefined =>
      planCloserLook(TEXT, windows, manifest)?.pieces;

    it.each(['sexual_explicit', 'self_harm', 'spam'] as const)(
      'is taken where %s comes near its threshold',
      (label) => {
        const half = manifest.calibration.thresholds[label] / 2;
        const elsewhere = atSentence(1, {});
        expect(piecesOf(...rest(), elsewhere, atSentence(3, { [label]: half + 0.01 }))).toEqual(['Four is fine.']);
        expect(piecesOf(...rest(), elsewhere, atSentence(3, { [label]: half - 0.01 }))).toBeUndefined();
      },
    );

    it('goes by the share of the threshold, as labels differ in how sure they can be', () => {
      const thresholds = { ...manifest.calibration.thresholds, self_harm: 0.1, spam: 0.9 };
      const sure = { ...manifest, calibration: { ...manifest.calibration, thresholds } };
      const windows = [...rest(), atSentence(1, { spam: 0.8 }), atSentence(3, { self_harm: 0.2 })];
      expect(planCloserLook(TEXT, windows, sure)?.pieces).toEqual(['Four is fine.']);
    });

    it('is taken beside that at the riskiest window, each keeping its own pieces', () => {
      const windows = [...rest(0.9), atSentence(1, {}), atSentence(3, { self_harm: 0.9 })];
      const look = planCloserLook(TEXT, windows, manifest);
      expect(look?.pieces).toEqual(['One is fine.', 'Four is fine.']);
      const [toxicity, selfHarm] = [manifest.labels.indexOf('toxicity'), manifest.labels.indexOf('self_harm')];
      const judged = new Map([
        ['One is fine.', windowsOf(0.7)],
        ['Four is fine.', [atSentence(3, { self_harm: 0.8 })]],
      ]);
      const seen = look?.seen((piece) => judged.get(piece) ?? []) ?? [];
      expect(seen.map(({ pieces }) => pieces?.length)).toEqual([1, undefined, undefined, undefined, undefined, 1]);
      expect(seen[0]?.pieces?.[0]?.[toxicity]).toBe(0.7);
      expect(seen[5]?.pieces?.[0]?.[selfHarm]).toBe(0.8);
      expect([seen[0]?.sentences?.length, seen[5]?.sentences]).toEqual([1, undefined]);
    });

    it('is taken once where the riskiest window is the same one', () => {
      const windows = [...rest(), atSentence(1, {}), atSentence(2, { toxicity: 0.9, sexual_explicit: 0.9 })];
      expect(piecesOf(...windows)).toEqual(['Three is bad.']);
    });

    it('needs no model that knows these labels', () => {
      const labels = manifest.labels.filter((label) => !['sexual_explicit', 'self_harm', 'spam'].includes(label));
      const look = planCloserLook(TEXT, sixWindowsOf(0.01, 0.9), { ...manifest, labels });
      expect(look?.pieces).toEqual(['Two is fine.']);
    });
  });

  describe('cuts a window', () => {
    /** Spam alone is not risky: such a window is not cut into sentences. */
    const spamOf = (text: string): WindowProbabilities[] =>
      wholeOf(text).map((window) => ({
        ...windowOf({ labels: { spam: window.end > 0 ? 0.9 : 0 } }, manifest),
        start: window.start,
        end: window.end,
      }));

    it('into pieces of up to 120 characters, overlapping, of whole words', () => {
      const words = Array.from({ length: 60 }, (_, index) => `word${index}`);
      const text = words.join(' ');
      const pieces = planCloserLook(text, spamOf(text), manifest)?.pieces ?? [];
      const starts = pieces.map((piece) => words.indexOf(piece.split(' ')[0] ?? ''));
      expect(pieces.every((piece) => piece.length <= 120 && piece.length > 30)).toBe(true);
      expect(pieces.map((piece) => piece.split(' '))).toEqual(
        pieces.map((piece, at) => words.slice(starts[at], (starts[at] ?? 0) + piece.split(' ').length)),
      );
      expect(new Set(pieces.flatMap((piece) => piece.split(' ')))).toEqual(new Set(words));
      for (const [at, piece] of pieces.slice(0, -1).entries()) {
        const shared = (starts[at] ?? 0) + piece.split(' ').length - (starts[at + 1] ?? 0);
        expect(words.slice(0, shared).join(' ').length).toBeGreaterThan(30);
      }
    });

    it('that is the riskiest into what may be its sentences as well', () => {
      const text = 'It rained all day, so we You are bad. stayed in.';
      const pieces = planCloserLook(text, spamOf(text), manifest)?.pieces ?? [];
      expect(pieces).toEqual([text]);
      const sentences = ['It rained all day, so we You are bad.', 'stayed in.', 'You are bad.'];
      expect(planCloserLook(text, wholeOf(text), manifest)?.pieces).toEqual([text, ...sentences]);
    });

    it('that begins or ends within a sentence into whole sentences, but into no more pieces', () => {
      const text = 'One is fine. Two is very bad indeed. Three is fine.';
      const start = text.indexOf('very');
      const windows = wholeOf(text).map((window, index) =>
        index === 0 ? { ...window, start, end: start + 8 } : window,
      );
      expect(planCloserLook(text, windows, manifest)?.pieces).toEqual(['very bad', 'Two is very bad indeed.']);
    });

    it('of which nothing is a sentence into pieces alone', () => {
      const look = planCloserLook('1 2 3', wholeOf('1 2 3'), manifest);
      expect(look?.pieces).toEqual(['1 2 3']);
      expect(look?.seen(() => windowsOf(0.5))[0]?.sentences).toBeUndefined();
    });
  });

  it('reads words that are longer than a piece', () => {
    const long = 'x'.repeat(300);
    expect(planCloserLook(`a ${long} b`, wholeOf(`a ${long} b`), manifest)?.pieces.slice(0, 3)).toEqual([
      'a',
      long,
      'b',
    ]);
  });

  it('has nothing to look at in a window without words', () => {
    expect(planCloserLook(' \n '.repeat(9), wholeOf(' \n '.repeat(9)), manifest)).toBeUndefined();
  });

  it.each([
    ['tiny words', 'a '.repeat(5000)],
    ['words that fill pieces badly', `${'x'.repeat(61)} `.repeat(160)],
    ['one word', 'x'.repeat(10_000)],
    ['capitals here and there', 'a B '.repeat(2500)],
  ])('bounds what a window of %s costs', (_, text) => {
    expect(planCloserLook(text, wholeOf(text), manifest)?.pieces.length).toBeLessThanOrEqual(48 + 32);
  });

  it('counts what begins within a sentence for less where the whole of that says less', () => {
    const text = 'It rained, so we You are very bad. We stayed in.';
    const toxicity = manifest.labels.indexOf('toxicity');
    const said = (piece: string): WindowProbabilities[] =>
      windowsOf(piece.startsWith('You') ? 0.9 : piece.startsWith('We') ? 0.6 : 0.2);
    const seen = planCloserLook(text, wholeOf(text), manifest)?.seen(said)[0]?.sentences ?? [];
    const odds = (probability = 0): number => Math.log(probability / (1 - probability));
    const [whole, other, within] = seen.map((sentence) => odds(sentence[toxicity]));
    expect([whole, other]).toEqual([expect.closeTo(odds(0.2), 9), expect.closeTo(odds(0.6), 9)]);
    expect(within).toBeCloseTo(0.7 * odds(0.9) + 0.3 * odds(0.2), 9);
  });

  it('keeps for its window what each piece was judged to be, at worst', () => {
    const text = `${'Three is bad. '.repeat(10)}And more.`;
    const look = planCloserLook(text, wholeOf(text), manifest);
    const [first, ...others] = look?.pieces ?? [];
    expect(others).not.toHaveLength(0);
    const seen = look?.seen((piece) => (piece === first ? windowsOf(0.95, 0.97) : windowsOf(0.04))) ?? [];
    const toxicity = manifest.labels.indexOf('toxicity');
    expect(seen.map((window) => window.pieces?.map((piece) => piece[toxicity]))).toEqual([
      [0.97, 0.04],
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('a label of a long text', () => {
  const odds = (probability: number): number => Math.log(probability / (1 - probability));
  const toxicityOf = (windows: Parameters<typeof combineWindows>[0]): number =>
    combineWindows(windows, manifest).labels.get('toxicity') ?? 0;
  const piece = (toxicity: number): number[] => [...windowOf({ labels: { toxicity } }, manifest).labels];

  it('is that of the strongest piece of its strongest window, corrected for length', () => {
    const [first, second] = windowsOf(0.3, 0.1);
    if (first === undefined || second === undefined) throw new Error('two windows');
    const closely = { ...first, pieces: [piece(0.1), piece(0.9), piece(0.2)] };
    expect(odds(toxicityOf([closely, second]))).toBeCloseTo(odds(0.9) - 0.5 * Math.log(2), 9);
    expect(odds(toxicityOf([{ ...first, pieces: [piece(0.02)] }, second]))).toBeCloseTo(
      odds(0.02) - 0.5 * Math.log(2),
      9,
    );
  });

  it('lies between the strongest piece and the strongest sentence, nearer to that, if a sentence tells it', () => {
    const [first, second] = windowsOf(0.3, 0.1);
    if (first === undefined || second === undefined) throw new Error('two windows');
    const insult = (toxicity: number, own: number): number[] => [
      ...windowOf({ labels: { toxicity, insult: own } }, manifest).labels,
    ];
    const closely = {
      ...first,
      pieces: [insult(0.6, 0.6), insult(0.2, 0.2)],
      sentences: [insult(0.1, 0.1), insult(0.9, 0.9)],
    };
    const { labels } = combineWindows([closely, second], manifest);
    expect(odds(labels.get('toxicity') ?? 0)).toBeCloseTo((odds(0.6) + 2 * odds(0.9)) / 3 - 0.5 * Math.log(2), 9);
    expect(labels.get('insult')).toBe(0.6);
  });

  describe('of twelve windows, if it is toxicity,', () => {
    // Thresholds: 0.4 of toxicity, 0.5 of its signs. The rest of the text is calm: nothing is taken off.
    const standingOut = testManifest({ calibration: { ...manifest.calibration, standOut: {}, signsOfAbuse: 0.5 } });
    const said = (labels: NonNullable<FakeJudgement['labels']>, uses = standingOut): number[] => [
      ...windowOf({ labels }, uses).labels,
    ];
    const abuseOf = (pieces: number[][], sentences: number[][], uses = standingOut, count = 12): number => {
      const windows = Array.from({ length: count }, (_, index) => ({
        ...windowOf({ labels: { toxicity: index === 0 ? 0.9 : 0 } }, uses),
        start: 0,
        end: 0,
        ...(index === 0 && { pieces, sentences }),
      }));
      return combineWindows(windows, uses).labels.get('toxicity') ?? 0;
    };
    const alike = (piece: number[]): number => abuseOf([piece], [piece]);

    it('is half what its signs say, each beside its own threshold', () => {
      const piece = said({ toxicity: 0.8, severe_toxicity: 0.6, obscene: 0.9, insult: 0.7 });
      const ofSigns = (odds(0.6) + odds(0.9) + odds(0.7)) / 3;
      expect(odds(alike(piece))).toBeCloseTo(odds(0.4) + (odds(0.8) - odds(0.4)) / 2 + ofSigns / 2, 9);
      expect(alike(said({ toxicity: 0.4, severe_toxicity: 0.5, obscene: 0.5, insult: 0.5 }))).toBeCloseTo(0.4, 12);
    });

    it('is that of the piece and the sentence in which most of them come together', () => {
      const sworn = said({ toxicity: 0.9, severe_toxicity: 0.1, obscene: 0.1, insult: 0.1 });
      const abusive = said({ toxicity: 0.8, severe_toxicity: 0.7, obscene: 0.7, insult: 0.7 });
      expect(abuseOf([sworn, abusive], [abusive, sworn])).toBeCloseTo(alike(abusive), 12);
      expect(alike(abusive)).toBeGreaterThan(alike(sworn));
    });

    it('is its own in a text of eleven, and of a model that says nothing of long texts or of signs', () => {
      const sworn = said({ toxicity: 0.9, severe_toxicity: 0.1, obscene: 0.1, insult: 0.1 });
      const inEleven = abuseOf([sworn], [sworn], standingOut, 11);
      expect(odds(inEleven)).toBeCloseTo(odds(0.9) - 0.5 * Math.log(11), 9);
      expect(odds(abuseOf([sworn], [sworn], manifest))).toBeCloseTo(odds(0.9) - 0.5 * Math.log(12), 9);
      const signless = testManifest({ calibration: { ...manifest.calibration, standOut: {} } });
      expect(abuseOf([sworn], [sworn], signless)).toBeCloseTo(0.9, 12);
    });

    it('goes by its signs as far as the model says', () => {
      const slightly = testManifest({ calibration: { ...standingOut.calibration, signsOfAbuse: 0.2 } });
      const piece = said({ toxicity: 0.8, severe_toxicity: 0.6, obscene: 0.6, insult: 0.6 }, slightly);
      const expected = odds(0.4) + 0.8 * (odds(0.8) - odds(0.4)) + 0.2 * odds(0.6);
      expect(odds(abuseOf([piece], [piece], slightly))).toBeCloseTo(expected, 9);
    });

    it('goes by the signs that the model knows', () => {
      const few = testManifest({ calibration: standingOut.calibration, labels: ['toxicity', 'insult'] });
      const none = testManifest({ calibration: standingOut.calibration, labels: ['toxicity', 'threat'] });
      const half = said({ toxicity: 0.8, insult: 0.7 }, few);
      expect(odds(abuseOf([half], [half], few))).toBeCloseTo(
        odds(0.4) + (odds(0.8) - odds(0.4)) / 2 + odds(0.7) / 2,
        9,
      );
      const alone = said({ toxicity: 0.8, threat: 0.7 }, none);
      expect(abuseOf([alone], [alone], none)).toBeCloseTo(0.8, 12);
    });

    it('is certain where it or a sign is, and at the threshold where these are certain of both', () => {
      const signs = { severe_toxicity: 0.5, obscene: 0.5, insult: 0.5 };
      expect(alike(said({ toxicity: 1, ...signs }))).toBe(1);
      expect(alike(said({ toxicity: 0.9, ...signs, obscene: 0 }))).toBe(0);
      expect(alike(said({ toxicity: 1, ...signs, obscene: 0 }))).toBeCloseTo(0.4, 12);
    });
  });

  it('lies between these, and a tenth of the way to their window, if it is severe toxicity', () => {
    const severity = (severe: number): number[] => [
      ...windowOf({ labels: { severe_toxicity: severe } }, manifest).labels,
    ];
    const [first, second] = windowsOf(0.3, 0.1);
    if (first === undefined || second === undefined) throw new Error('two windows');
    const severityIn = (window: number): number => {
      const closely = { ...first, labels: severity(window), pieces: [severity(0.6)], sentences: [severity(0.9)] };
      return odds(combineWindows([closely, second], manifest).labels.get('severe_toxicity') ?? 0);
    };
    expect(severityIn(0.2)).toBeCloseTo(0.3 * odds(0.6) + 0.6 * odds(0.9) + 0.1 * odds(0.2), 9);
    expect(severityIn(0.5)).toBeCloseTo(0.3 * odds(0.6) + 0.6 * odds(0.9), 9);
  });

  it('is that of any window that was looked at, if it is severe toxicity', () => {
    const severity = (severe: number, insult = severe): number[] => [
      ...windowOf({ labels: { severe_toxicity: severe, insult } }, manifest).labels,
    ];
    const windows = [0.3, 0.2, 0.1].map((severe) => ({
      ...windowOf({ labels: { severe_toxicity: severe, insult: severe } }, manifest),
      start: 0,
      end: 0,
    }));
    const pieces = [0.5, 0.8].map((severe) => ({ pieces: [severity(severe)], sentences: [severity(severe)] }));
    // Of the last one there are no sentences, as it was looked at for something else.
    const seen = [...pieces, { pieces: [severity(0.99)] }];
    const { labels } = combineWindows(
      windows.map((window, index) => ({ ...window, ...seen[index] })),
      manifest,
    );
    expect(odds(labels.get('severe_toxicity') ?? 0)).toBeCloseTo(0.9 * odds(0.8) + 0.1 * odds(0.2), 9);
    expect(labels.get('insult')).toBe(0.5);
  });

  it.each([
    [0, 0, 0],
    [1, 1, 1],
    [0, 0.9, 0],
    [1, 0.2, 1],
    [0, 1, 0.5],
  ])('of pieces that are certain, %f and %f, is %f', (inPiece, inSentence, expected) => {
    const uncorrected = { ...manifest, calibration: { ...manifest.calibration, lengthCorrection: {} } };
    const closely = windowsOf(0.3).map((window) => ({
      ...window,
      pieces: [piece(inPiece)],
      sentences: [piece(inSentence)],
    }));
    expect(combineWindows(closely, uncorrected).labels.get('toxicity')).toBe(expected);
  });

  it('is that of its strongest window where another one was looked at', () => {
    const [first, second] = windowsOf(0.3, 0.1);
    if (first === undefined || second === undefined) throw new Error('two windows');
    const elsewhere = { ...second, pieces: [piece(0.9)] };
    expect(odds(toxicityOf([first, elsewhere]))).toBeCloseTo(odds(0.3) - 0.5 * Math.log(2), 9);
  });
});

describe('a label of a long text with windows in doubt', () => {
  const calibration = { ...manifest.calibration, standOut: { toxicity: 1 } };
  const oddsOf = (windows: WindowProbabilities[]): number => {
    const probability = combineWindows(windows, { ...manifest, calibration }).labels.get('toxicity') ?? 0;
    return Math.log(probability / (1 - probability));
  };

  it('is lowered for these, its strongest window and what is beside it left out', () => {
    const threshold = manifest.calibration.thresholds.toxicity;
    const rest = Array.from({ length: 6 }, () => 0);
    const [calm, doubtful] = [0, threshold].map((other) => oddsOf(windowsOf(0, other, 0.9, other, other, 0, ...rest)));
    expect(calm).toBeCloseTo(Math.log(9), 9);
    expect(doubtful).toBeCloseTo(Math.log(9) - 1, 9);
  });
});

describe('the analyzer', () => {
  it('finds an insult that its window dilutes, in one more call to the model', async () => {
    const judge = (text: string): FakeJudgement => ({
      labels: { toxicity: text === 'Three is bad.' ? 0.98 : text.includes('bad') ? 0.3 : 0.01 },
    });
    const fake = createFakeClassifier(judge, manifest);
    const classifier: typeof fake = {
      ...fake,
      async classify(texts, options) {
        const judged = await fake.classify(texts, options);
        if (texts[0] !== TEXT) return judged;
        const windows = sixWindowsOf(0.01, 0.01, 0.3);
        return { ...judged, texts: [windows] };
      },
    };
    const analyzer = createAnalyzer({
      classifier,
      policy: { passMaxScore: 3, blockCategories: [], unreadable: 'fail' },
      cacheMaxEntries: 0,
    });
    const { verdict, windows, timings } = await analyzer.analyze(TEXT);
    expect(fake.calls).toEqual([[TEXT], ['Three is bad.']]);
    expect(verdict.passed).toBe(false);
    expect(windows).toBe(6);
    expect(timings).toEqual({ queueMs: 2, tokenizeMs: 4, inferMs: 6 });
  });
});
