/** Lays the fields of a policy over those of its preset, and both over the settings of the service. Pure. */
import { hash } from 'node:crypto';
import type { Terms } from '../caller.js';
import {
  perCategory,
  policyOfSettings,
  type PolicySettings,
  type VerdictPolicy,
} from '../moderation/verdict-policy.js';
import type { PolicyFields, PresetName } from './policy-schema.js';
import { PRESETS } from './presets.js';

/** @returns as `resolveFields`; `fields.preset` counts for nothing here */
export function resolvePolicy(settings: PolicySettings, preset: PresetName, fields: PolicyFields): VerdictPolicy {
  return resolveFields(settings, { ...fields, preset });
}

/**
 * @param version of a policy that is kept
 * @param terms in place of the lists of the fields
 * @returns frozen and complete
 */
export function resolveFields(
  settings: PolicySettings,
  fields: PolicyFields,
  version?: number,
  terms = termsOf(fields),
): VerdictPolicy {
  const base = policyOfSettings(settings);
  const preset = presetOf(fields);
  const ofPreset = PRESETS[preset];
  return Object.freeze({
    passMaxScore: fields.passMaxScore ?? ofPreset.passMaxScore ?? base.passMaxScore,
    categories: Object.freeze(
      perCategory((category) => {
        const layers = [fields.categories?.[category], ofPreset.categories?.[category], base.categories[category]];
        const threshold = layers.find((layer) => layer?.threshold !== undefined)?.threshold;
        return Object.freeze({
          action: layers.find((layer) => layer?.action !== undefined)?.action ?? base.categories[category].action,
          ...(threshold !== undefined && { threshold }),
        });
      }),
    ),
    unreadable: fields.unreadable ?? ofPreset.unreadable ?? base.unreadable,
    ...(terms && { terms }),
    ...(fields.blockedTermsAction && { blockedTermsAction: fields.blockedTermsAction }),
    ...(version !== undefined && { origin: Object.freeze({ name: preset, version }) }),
  });
}

export function presetOf({ preset = 'default' }: PolicyFields): PresetName {
  return preset;
}

export function termsOf(fields: PolicyFields): Terms | undefined {
  const written = writtenTermsOf(fields);
  return written && Object.freeze({ ...written, lists: () => written.lists });
}

/** Terms that can be sent to another thread. */
export type WrittenTerms = Omit<Terms, 'lists'> & { readonly lists: string };

export function writtenTermsOf({ blockedTerms = [], ignoredTerms = [] }: PolicyFields): WrittenTerms | undefined {
  if (blockedTerms.length === 0 && ignoredTerms.length === 0) return undefined;
  const lists = JSON.stringify([blockedTerms, ignoredTerms]);
  return {
    lists,
    characters: [...blockedTerms, ...ignoredTerms].reduce((sum, { length }) => sum + length, 0),
    digest: hash('sha256', lists, 'base64url'),
  };
}
