import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { figuresOf, type JudgedProbe } from '../../../benchmarks/probes/figures.js';
import { passingOf, perPreset, type ProbeUnderPresets } from '../../../benchmarks/probes/passing.js';
import { parseProbes, type Probe } from '../../../benchmarks/probes/probe.js';
import type { PresetName } from '../../../src/policies/policy-schema.js';

const PROBES = new URL('../../../benchmarks/probes/', import.meta.url);
const EXAMPLES = new URL('../../../models/training/examples/', import.meta.url);

interface Given {
  readonly passed: boolean;
  readonly categories?: readonly string[];
  readonly labels?: Readonly<Record<string, number>>;
}

function judged(probe: Omit<Probe, 'text'>, { passed, categories = [], labels = {} }: Given): JudgedProbe {
  const judgement = { passed, score: 0, sentiment: 'neutral', categories, labels, sentiments: {}, model: 'a@1' };
  return { probe: { text: 'a text', ...probe }, judgement };
}

function underPresets(probe: Omit<Probe, 'text'>, ...passing: PresetName[]): ProbeUnderPresets {
  return { probe: { text: 'a text', ...probe }, passed: perPreset((preset) => passing.includes(preset)) };
}

function jsonLinesIn(folder: URL): string[] {
  return readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
}

/** Letters and digits alone, as the training's preparation compares texts. */
function identityOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}_]+/gu, '');
}

describe('the figures of probes', () => {
  it('count a harmful text as right when it is blocked, and a harmless one when it passes', () => {
    const figures = figuresOf([
      judged({ toxic: true, kind: 'threat' }, { passed: false }),
      judged({ toxic: true, kind: 'threat' }, { passed: true }),
      judged({ toxic: false, kind: 'idiom' }, { passed: true }),
    ]);
    expect(figures.all).toEqual({ texts: 3, right: 2 });
    expect(figures.harmful).toEqual({ texts: 2, right: 1 });
    expect(figures.harmless).toEqual({ texts: 1, right: 1 });
    expect(figures.kinds).toEqual({ threat: { texts: 2, right: 1 }, idiom: { texts: 1, right: 1 } });
  });

  it('ask of spam for the category, not for the block', () => {
    const figures = figuresOf([
      judged({ spam: true }, { passed: false, categories: ['insult'] }),
      judged({ spam: true }, { passed: true, categories: ['spam'] }),
      judged({ spam: false }, { passed: false, categories: ['insult'] }),
    ]);
    expect(figures.harmful).toEqual({ texts: 2, right: 1 });
    expect(figures.harmless).toEqual({ texts: 1, right: 1 });
  });

  it('rank by the likeliest harm and leave friendly swearing out', () => {
    const figures = figuresOf([
      judged({ toxic: true, group: 'a' }, { passed: false, labels: { threat: 0.8 } }),
      judged({ toxic: false, group: 'a' }, { passed: true, labels: { obscene: 0.99, insult: 0.1 } }),
      judged({ toxic: true, group: 'b' }, { passed: true, labels: { insult: 0.2 } }),
      judged({ toxic: false, group: 'b' }, { passed: true, labels: { insult: 0.3 } }),
    ]);
    expect(figures.rocAuc).toBe(0.75);
    expect(Object.entries(figures.groups)).toEqual([
      ['b', 0],
      ['a', 1],
    ]);
  });
});

describe('what passes under the presets', () => {
  const figures = passingOf([
    underPresets({ toxic: false, kind: 'banter' }, 'default', 'adults'),
    underPresets({ toxic: false, kind: 'banter' }, 'adults'),
    underPresets({ toxic: true, kind: 'banter' }, 'adults'),
    underPresets({ spam: true }),
  ]);

  it('is counted by kind, harmful and harmless texts apart', () => {
    expect(figures.kinds).toMatchObject({
      banter: {
        harmful: { texts: 1, passed: { default: 0, adults: 1 } },
        harmless: { texts: 2, passed: { default: 1, adults: 2, children: 0 } },
      },
    });
    expect(figures).toMatchObject({ harmful: { texts: 2, passed: { adults: 1 } }, harmless: { texts: 2 } });
    expect(passingOf([underPresets({ toxic: true, kind: 'a' })])).not.toHaveProperty('harmless');
  });
});

describe('a probe file', () => {
  it('must say of each text what is right, in one way', () => {
    expect(() => parseProbes('a.jsonl', '{"text":"x","toxic":1}\n{"text":"y"}\n')).toThrow(
      /a\.jsonl, line 2: .*either toxic or spam/s,
    );
    expect(() => parseProbes('a.jsonl', '{"text":"x","toxic":1,"label":1}')).toThrow(/line 1/);
  });

  it.each(jsonLinesIn(PROBES))('%s is valid, and no text comes twice', (file) => {
    const probes = parseProbes(file, readFileSync(new URL(file, PROBES), 'utf8'));
    expect(probes.length).toBeGreaterThanOrEqual(100);
    expect(new Set(probes.map(({ text }) => text)).size).toBe(probes.length);
  });

  it('holds no text that is trained on', () => {
    const trained = new Set(
      jsonLinesIn(EXAMPLES)
        .flatMap((file) => readFileSync(new URL(file, EXAMPLES), 'utf8').trimEnd().split('\n'))
        .map((line) => identityOf((JSON.parse(line) as { text: string }).text)),
    );
    expect(trained.size).toBeGreaterThan(1000);
    const shared = jsonLinesIn(PROBES)
      .flatMap((file) => parseProbes(file, readFileSync(new URL(file, PROBES), 'utf8')))
      .filter(({ text }) => identityOf(text) !== '' && trained.has(identityOf(text)));
    expect(shared).toEqual([]);
  });
});
