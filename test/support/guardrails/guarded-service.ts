/** A service behind the doors of guardrails, and what its callers make of texts. */
import { createAnalyzer, type Analyzer } from '../../../src/moderation/analyzer.js';
import type { PolicyFields } from '../../../src/policies/policy-schema.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import { FAKE_POLICY } from '../fake-analyzer.js';
import { createFakeClassifier, type FakeJudgement } from '../models/fake-classifier.js';
import { DOORS, knock, SIGNING_SECRET, type DoorName, type Fate } from './guardrail-doors.js';
import { createHttpService, type HttpService, type HttpServiceOptions } from '../http-service.js';

export const FINE = 'The train leaves at nine.';
export const INSULTING = 'You are an idiot.';
export const THREAT = 'I will find you and hurt you.';
const judged = (segment: string): FakeJudgement => {
  if (segment.includes('idiot')) return { labels: { toxicity: 0.85, insult: 0.9 } };
  return segment.includes('hurt') ? { labels: { toxicity: 0.85, threat: 0.9 } } : {};
};
const analyzer = (): Analyzer =>
  createAnalyzer({ classifier: createFakeClassifier(judged), policy: FAKE_POLICY, cacheMaxEntries: 100 });

/** With an analyzer that finds the texts above; its key signs for Coral; with a policy, where one is given. */
export async function serviceWith(options: HttpServiceOptions = {}, policy?: PolicyFields): Promise<HttpService> {
  const service = await createHttpService({ analyzer: analyzer(), ...options });
  await service.store.setSigningSecret(service.record.id, SIGNING_SECRET);
  if (policy !== undefined) {
    await openFileStore(service.keysFile).policies.edit(service.record.projectId, () => policy, {
      by: 'command line',
    });
  }
  return service;
}

export const NAMES = Object.keys(DOORS) as DoorName[];
export const MANY = NAMES.filter((name) => DOORS[name].withTexts !== undefined);

export async function fatesOf(service: HttpService, bodyOf: (name: DoorName) => object | string, names = NAMES) {
  const fates = new Map<DoorName, Fate>();
  for (const name of names) fates.set(name, DOORS[name].fateOf(await knock(service, DOORS[name], bodyOf(name))));
  return Object.fromEntries(fates);
}
export const allOf = (fate: Fate, names = NAMES) => Object.fromEntries(names.map((name) => [name, fate]));
