/** Promises of the plug-in for Coop: what is packed loads as Coop loads it, and its signals say what the built service says. */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { LABELS } from '../../src/labels.js';
import { ROOT, run } from '../support/client-package.js';
import { analyzeInDetail, startServiceForAll, temporaryFolder, type ReadyService } from '../support/service.js';
import { KIND, TOXIC } from '../support/texts.js';

const field = z.strictObject({ label: z.string().min(1), value: z.string().min(1) });
const signal = z.object({
  id: z.object({ type: z.string() }),
  displayName: z.string(),
  description: z.string(),
  docsUrl: z.null(),
  recommendedThresholds: z.object({ highPrecisionThreshold: z.number(), highRecallThreshold: z.number() }),
  supportedLanguages: z.array(z.string().regex(/^[A-Z]+$/)),
  pricingStructure: z.object({ type: z.literal('FREE') }),
  eligibleInputs: z.tuple([z.literal('STRING')]),
  outputType: z.object({ scalarType: z.literal('NUMBER') }),
  needsMatchingValues: z.literal(false),
  eligibleSubcategories: z.tuple([]),
  needsActionPenalties: z.literal(false),
  integration: z.literal('PARAPET'),
  allowedInAutomatedRules: z.literal(true),
  getCost: z.custom<() => number>(),
  getDisabledInfo: z.custom<(orgId: string) => Promise<unknown>>(),
  run: z.custom<(input: unknown) => Promise<unknown>>(),
});
/** What Coop relies on: types/integration.ts and loadPlugins.ts of roostorg/coop. */
const plugin = z.object({
  manifest: z.object({
    id: z.literal('PARAPET'),
    name: z.string(),
    version: z.string().regex(/^\d+\.\d+\.\d+$/),
    requiresConfig: z.literal(true),
    configurationFields: z.array(z.object({ key: z.string(), inputType: z.enum(['text', 'password']) })),
    signalTypeIds: z.array(z.string()),
    modelCard: z.object({
      modelName: z.literal('parapet-multi'),
      version: z.string(),
      sections: z.array(
        z.object({
          id: z.string(),
          fields: z.array(field).min(1).optional(),
          subsections: z.array(z.object({ title: z.string(), fields: z.array(field).min(1) })).optional(),
        }),
      ),
    }),
  }),
  createSignals: z.custom<(context: unknown) => unknown>(),
});
const signals = z.array(z.object({ signalTypeId: z.string(), signal }));

describe('the plug-in for Coop', () => {
  let service: ReadyService;
  let loaded: z.output<typeof plugin>;
  startServiceForAll((started) => (service = started));
  beforeAll(async () => {
    const server = temporaryFolder(afterAll);
    writeFileSync(join(server, 'package.json'), '{"name": "server", "type": "module"}');
    const argv = ['run', '--silent', 'pack:coop', '--', '--pack-destination', server];
    const { stdout } = await run('npm', argv, { cwd: ROOT });
    await run('npm', ['install', '--offline', `./${stdout.trim()}`], { cwd: server });
    const exported: unknown = createRequire(join(server, 'package.json'))('parapet-coop');
    loaded = plugin.parse((exported as { default?: unknown }).default ?? exported);
  });

  const signalsWith = (saved: Record<string, unknown> | undefined) =>
    signals.parse(loaded.createSignals({ integrationId: 'PARAPET', getCredential: () => Promise.resolve(saved) }));
  const configured = () => signalsWith({ url: `${service.address}/`, key: service.key });
  const inputOf = (value: string) => ({ orgId: 'an-org', value: { type: 'STRING', value } });

  it('has a signal for each label, and says which languages they know and where their thresholds are', () => {
    const types = LABELS.map((label) => `PARAPET_${label.toUpperCase()}`);
    expect(loaded.manifest.signalTypeIds).toEqual(types);
    expect(configured().map(({ signalTypeId, signal: { id } }) => [signalTypeId, id.type])).toEqual(
      types.map((type) => [type, type]),
    );
    for (const { signal: each } of configured()) {
      expect(each.supportedLanguages).toEqual(expect.arrayContaining(['ENGLISH', 'BENGALI', 'NORWEGIAN', 'FINNISH']));
      expect(each.recommendedThresholds.highRecallThreshold).toBeLessThan(
        each.recommendedThresholds.highPrecisionThreshold,
      );
    }
  });

  it('brings the card of the model, with the sections that Coop asks for', async () => {
    const { modelName, version, sections } = loaded.manifest.modelCard;
    const { details } = await analyzeInDetail(service, KIND);
    expect(`${modelName}@${version}`).toBe(details.model);
    expect(sections.map(({ id }) => id)).toEqual([
      ...['trainingData', 'policyAndTaxonomy', 'annotationMethodology', 'performanceBenchmarks'],
      ...['biasAndLimitations', 'implementationGuidance', 'relevantLinks'],
    ]);
    const toldOf = (id: string) => {
      const { fields = [], subsections = [] } = sections.find((section) => section.id === id) ?? {};
      return [...fields, ...subsections.flatMap((subsection) => subsection.fields)];
    };
    expect(sections.every(({ id }) => toldOf(id).length > 0)).toBe(true);
    expect(toldOf('performanceBenchmarks').map(({ label }) => label)).toEqual(
      expect.arrayContaining([...LABELS, 'fi']),
    );
    expect(toldOf('biasAndLimitations').length).toBeGreaterThan(5);
  });

  it('scores a text with the probabilities of the service', async () => {
    for (const text of [KIND, TOXIC]) {
      const { details } = await analyzeInDetail(service, text);
      const results = await Promise.all(configured().map(({ signal: { run: judge } }) => judge(inputOf(text))));
      expect(results).toEqual(
        LABELS.map((label) => ({ outputType: { scalarType: 'NUMBER' }, score: details.labels[label] })),
      );
    }
  });

  it('is off until the address and the key are set', async () => {
    const infoWith = (saved?: Record<string, unknown>) => signalsWith(saved)[0]?.signal.getDisabledInfo('an-org');
    expect(await infoWith()).toMatchObject({ disabled: true });
    expect(await infoWith({ url: service.address, key: '' })).toMatchObject({ disabled: true });
    expect(await infoWith({ url: service.address, key: 'a-key' })).toEqual({ disabled: false });
  });

  it.each([
    ['a text that cannot be read', 'დიდი მადლობა', {}, 'in no language of the model'],
    ['a text that is too long', 'a'.repeat(10_001), {}, 'content_too_long'],
    ['a wrong key', KIND, { key: 'a-secret-key' }, 'answered 401, unauthorized'],
    ['no service', KIND, { url: 'http://127.0.0.1:1' }, 'no answer from http://127.0.0.1:1'],
    ['no settings', KIND, { url: '' }, 'are not set'],
  ])(
    'answers %s with an error that Coop does not try again, without the text or the key',
    async (_what, text, wrong, said) => {
      const [first] = signalsWith({ url: service.address, key: service.key, ...wrong });
      const result = await first?.signal.run(inputOf(text));
      expect(result).toMatchObject({ type: 'ERROR', score: { name: 'SignalPermanentError' } });
      const { score } = z.object({ score: z.instanceof(Error) }).parse(result);
      expect(score.message).toContain(said);
      expect(score.message).not.toMatch(/a-secret-key|დიდი|aaaa/);
    },
  );
});
