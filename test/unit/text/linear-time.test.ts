/**
 * The promise that no text takes more than its share of time before it is judged: all that looks at characters takes time in
 * proportion to their number, also where a text is made to be slow.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createRandom } from '../../../benchmarks/robustness/random.js';
import { createTextTokenizer } from '../../../src/inference/tokenizer.js';
import { normalise } from '../../../src/text/normalise.js';
import { readText } from '../../../src/text/read-text.js';
import { segmentsOf } from '../../../src/text/segments.js';
import { SEED, sized, TIME_LIMIT_MS } from '../../hardening/scale.js';
import { familiesOf, growthOf, isSuperlinear } from '../../support/adversarial-texts.js';

const LONGEST_TEXT = 10_000;
const MAX_PIECE_IDS = 94;

const COMBINATIONS = sized({ short: 30, long: 1_000 });

const tokenizer = createTextTokenizer(
  z
    .looseObject({})
    .parse(JSON.parse(readFileSync(new URL('../../../models/parapet-en/tokenizer.json', import.meta.url), 'utf8'))),
  MAX_PIECE_IDS,
);

const STAGES: Readonly<Record<string, { readonly run: (text: string) => unknown; readonly limitMs: number }>> = {
  'undoing disguises': { run: normalise, limitMs: 200 },
  'cutting into segments': { run: segmentsOf, limitMs: 100 },
  'finding segments in the text as sent': { run: readText, limitMs: 300 },
  tokenising: { run: (text) => tokenizer.tokenize(text), limitMs: 300 },
};

describe('time in proportion to the length of a text', () => {
  it.each(Object.entries(STAGES))(
    'is all that %s takes, whatever the text',
    (_name, { run, limitMs }) => {
      let slowestMs = 0;
      for (const family of familiesOf(createRandom(SEED), COMBINATIONS)) {
        const growth = growthOf(run, family, LONGEST_TEXT, limitMs);
        slowestMs = Math.max(slowestMs, growth.longMs);
        expect(isSuperlinear(growth), `${JSON.stringify(family)}: ${JSON.stringify(growth)}`).toBe(false);
      }
      expect(slowestMs).toBeLessThan(limitMs);
      console.info(`${_name}: at most ${slowestMs.toFixed(1)} ms of processor time for ${LONGEST_TEXT} characters`);
    },
    TIME_LIMIT_MS,
  );
});
