import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OperatorError } from '../../../src/errors.js';
import { figuresOf, readManifest } from '../../../src/inference/manifest.js';
import { languagesManifest, pooledManifest, testManifest } from '../../support/models/manifest.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-manifest-'));
});
afterEach(() => rm(folder, { recursive: true }));

const store = (manifest: unknown): Promise<void> =>
  writeFile(join(folder, 'manifest.json'), typeof manifest === 'string' ? manifest : JSON.stringify(manifest));

const complaintOf = async (reading: Promise<unknown>): Promise<string> => {
  const error: unknown = await reading.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OperatorError);
  return error instanceof Error ? error.message : '';
};

describe('manifest', () => {
  it('is read back as it was written', async () => {
    await store(testManifest());
    expect(await readManifest(folder)).toEqual(testManifest());
  });

  it('tells what was measured of a language, where it was', () => {
    const german = { texts: 171, found: 0.79, passed: 0.878 };
    const measured = { gates: { de: { ...german, roc_auc: 0.954 }, fr: { found: null } } };
    const of = (language: string) => figuresOf({ measured }, language);
    expect([of('de'), of('fr'), of('en'), figuresOf({ measured: {} }, 'de')]).toEqual([
      german,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('without scripts is of a model of Latin letters', async () => {
    const { scripts, ...older } = testManifest();
    await store(older);
    expect(await readManifest(folder)).toEqual({ ...older, scripts: ['Latin'] });
    expect(scripts).toEqual(['Latin']);
  });

  it('without languages is of a model of English', async () => {
    const { languages, experimentalLanguages, ...older } = testManifest();
    await store(older);
    expect(await readManifest(folder)).toEqual({ ...older, languages, experimentalLanguages });
    expect([languages, experimentalLanguages]).toEqual([['en'], []]);
  });

  it('of several languages is read back as it was written', async () => {
    const { calibration, ...others } = languagesManifest({ experimentalLanguages: ['zh'] });
    const languageShifts = { toxicity: { ru: -0.5, zh: 1 }, spam: { en: 0.1 } };
    const manifest = { ...others, calibration: { ...calibration, languageShifts } };
    await store(manifest);
    expect(await readManifest(folder)).toEqual(manifest);
  });

  it.each([
    ['none', { languages: [] }],
    ['one twice', { languages: ['en', 'ru', 'en'] }],
    ['a name that is no tag', { languages: ['en', 'Russian language'] }],
    ['a tag that BCP 47 writes otherwise', { languages: ['en', 'pt-br'] }],
    ['more than a metric should have', { languages: Array.from({ length: 201 }, (_, at) => `x-${at}`) }],
    ['an experimental one that it lacks', { experimentalLanguages: ['de'] }],
  ])('with languages that are wrong is refused: %s', async (_what, change) => {
    await store({ ...languagesManifest(), ...change });
    expect(await complaintOf(readManifest(folder))).toMatch(/languages|Languages/);
  });

  it.each([
    ['of a label that does not exist', languagesManifest(), { rudeness: { ru: 1 } }],
    ['of a label that the model lacks', languagesManifest({ labels: ['toxicity'] }), { spam: { ru: 1 } }],
    ['of a language that the model lacks', languagesManifest(), { spam: { de: 1 } }],
    ['of what is in no language of the model', languagesManifest(), { spam: { other: 1 } }],
    ['of a model of one language', pooledManifest({ highest: 1 }), { spam: { en: 1 } }],
  ])('with a shift %s is refused', async (_what, manifest, languageShifts) => {
    await store({ ...manifest, calibration: { ...manifest.calibration, languageShifts } });
    expect(await complaintOf(readManifest(folder))).toContain('languageShifts');
  });

  const { calibration } = testManifest();
  it.each([
    ['a format of the future', { format: 2 }],
    ['a runtime that this version lacks', { runtime: 'abacus' }],
    ['too few knots', { calibration: { ...calibration, scoreKnots: [0.1, 0.2] } }],
    ['falling knots', { calibration: { ...calibration, scoreKnots: [...calibration.scoreKnots].reverse() } }],
    ['a label without threshold', { calibration: { ...calibration, thresholds: { toxicity: 0.5 } } }],
    [
      'a falling risk curve',
      {
        calibration: {
          ...calibration,
          riskCurves: {
            threat: [
              [0, 1],
              [1, 0],
            ],
          },
        },
      },
    ],
    ['runs of hardly any tokens', { window: { maxTokens: 8 } }],
    ['format 2 and no pooling', { format: 2 as const }],
    ['several languages and format 1', { languages: ['en', 'ru'] }],
    ['several languages in a runtime that tells none', { ...languagesManifest(), runtime: 'tfjs-toxicity' as const }],
    ['a weight by which a worse segment makes a text safer', pooledManifest({ rest: -0.1 })],
    [
      'file names that leave the folder',
      { files: { ...testManifest().files, '../x': { sha256: '0'.repeat(64), bytes: 1 } } },
    ],
    ['no scripts', { scripts: [] }],
    ['a script that Unicode does not have', { scripts: ['Latin', 'Klingon'] }],
    ['a script that is a pattern', { scripts: ['Latin}|\\p{L'] }],
    ['no model file', { files: { 'tokenizer.json': { sha256: '0'.repeat(64), bytes: 1 } } }],
  ])('with %s is refused', async (_what, change) => {
    await store({ ...testManifest(), ...change });
    expect(await complaintOf(readManifest(folder))).toContain('manifest');
  });
});
