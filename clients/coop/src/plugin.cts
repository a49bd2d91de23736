/**
 * Parapet in Coop: a signal for each label of the model. Coop loads it by `require`; its types are not in the registry, so what is needed of
 * them stands here (roostorg/coop, types/integration.ts).
 */
import fs = require('node:fs');
import path = require('node:path');
import type { ModelFacts } from './write-model-card.cjs';

interface SignalContext {
  readonly integrationId: string;
  /** What was saved for the organisation in Coop: the members that `configurationFields` name. */
  readonly getCredential: (orgId: string) => Promise<Record<string, unknown> | null | undefined>;
}

interface SignalInput {
  readonly orgId: string;
  readonly value: { readonly value: string };
}

const SIGNAL_TIMEOUT_MS = 5_000;
/** Nine of ten texts with such a probability are what the label says: probabilities are calibrated. */
const HIGH_PRECISION = 0.9;

const read = (file: string): unknown => JSON.parse(fs.readFileSync(path.join(__dirname, file), 'utf8'));
const facts = read('model-card.json') as ModelFacts;
const { version } = read('../package.json') as { version: string };
const outputType = { scalarType: 'NUMBER' };

const signalTypeOf = (label: string): string => `PARAPET_${label.toUpperCase()}`;

const manifest = {
  id: 'PARAPET',
  name: 'Parapet',
  version,
  description: 'Self-hosted moderation of texts: a calibrated probability for each of nine labels.',
  requiresConfig: true,
  configurationFields: [
    { key: 'url', label: 'Address', required: true, inputType: 'text', placeholder: 'http://127.0.0.1:3000' },
    { key: 'key', label: 'API key', required: true, inputType: 'password' },
  ],
  signalTypeIds: Object.keys(facts.thresholds).map(signalTypeOf),
  modelCard: facts.modelCard,
} as const;

function createSignals({ integrationId, getCredential }: SignalContext) {
  async function settingsOf(orgId: string): Promise<{ url: string; key: string } | undefined> {
    const { url, key } = (await getCredential(orgId)) ?? {};
    if (typeof url !== 'string' || typeof key !== 'string' || url === '' || key === '') return undefined;
    return { url: url.replace(/\/+$/, ''), key };
  }

  return Object.entries(facts.thresholds).map(([label, threshold]) => ({
    signalTypeId: signalTypeOf(label),
    signal: {
      id: { type: signalTypeOf(label) },
      displayName: `Parapet: ${label.replaceAll('_', ' ')}`,
      description: `Probability, 0 to 1, that the text has the label ${label}.`,
      docsUrl: null,
      recommendedThresholds: { highPrecisionThreshold: HIGH_PRECISION, highRecallThreshold: threshold },
      supportedLanguages: facts.languages,
      pricingStructure: { type: 'FREE' },
      eligibleInputs: ['STRING'],
      outputType,
      needsMatchingValues: false,
      eligibleSubcategories: [],
      needsActionPenalties: false,
      integration: integrationId,
      allowedInAutomatedRules: true,
      getCost: () => 1,
      getDisabledInfo: async (orgId: string) =>
        (await settingsOf(orgId)) === undefined
          ? { disabled: true, disabledMessage: 'Set the address of Parapet and an API key for it.' }
          : { disabled: false },
      /** Never throws: Coop would try again at once, and a service that is full would get fuller. */
      run: async ({ orgId, value }: SignalInput) => {
        try {
          const settings = await settingsOf(orgId);
          if (settings === undefined) throw new Error('the address of Parapet and its API key are not set');
          return { outputType, score: await probabilityOf(label, value.value, settings) };
        } catch (error) {
          return { type: 'ERROR', score: notJudged(error) };
        }
      },
    },
  }));
}

interface Answer {
  readonly categories?: readonly string[];
  readonly details?: { readonly labels: Readonly<Record<string, number>> };
  readonly code?: string;
}

async function probabilityOf(
  label: string,
  content: string,
  { url, key }: { url: string; key: string },
): Promise<number> {
  const response = await fetch(`${url}/v1/analyze?details=true`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ content }),
    redirect: 'error',
    signal: AbortSignal.timeout(SIGNAL_TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new Error(`no answer from ${url}`, { cause });
  });
  const answer = (await response.json().catch(() => ({}))) as Answer;
  if (!response.ok) throw new Error(`${url} answered ${response.status}, ${answer.code ?? 'nothing of Parapet'}`);
  // Nothing is known of a text that could not be read.
  if (answer.categories?.includes('unreadable') === true) throw new Error('the text is in no language of the model');
  const probability = answer.details?.labels[label];
  if (probability === undefined) throw new Error(`${url} has a model without the label ${label}`);
  return probability;
}

/** As Coop's makeSignalPermanentError. */
function notJudged(cause: unknown): Error {
  const title = `Parapet did not judge: ${cause instanceof Error ? cause.message : 'unknown'}`;
  const more = {
    name: 'SignalPermanentError',
    status: 500,
    type: ['/errors/permanent-signal-error'],
    title,
    shouldErrorSpan: true,
  };
  return Object.assign(new Error(title, { cause }), more);
}

export = { manifest, createSignals };
