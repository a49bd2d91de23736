/** Lays the fields of a policy over those of its preset, and both over the settings of the service. Pure; the dashboard's page uses it too. */
import {
  perCategory,
  policyOfSettings,
  type CategoryRule,
  type PolicySettings,
  type VerdictPolicy,
} from '../moderation/verdict-policy.js';
import type { PolicyFields, PresetName } from './policy-schema.js';
import { PRESETS } from './presets.js';

export type PolicyRules = Pick<VerdictPolicy, 'passMaxScore' | 'categories' | 'unreadable'>;

/** @returns frozen and complete */
export function rulesOf(settings: PolicySettings, fields: PolicyFields): PolicyRules {
  const base = policyOfSettings(settings);
  const ofPreset = PRESETS[presetOf(fields)];
  return Object.freeze({
    passMaxScore: fields.passMaxScore ?? ofPreset.passMaxScore ?? base.passMaxScore,
    categories: Object.freeze(
      perCategory((category): CategoryRule => {
        const layers = [fields.categories?.[category], ofPreset.categories?.[category], base.categories[category]];
        const threshold = layers.find((layer) => layer?.threshold !== undefined)?.threshold;
        return Object.freeze({
          action: layers.find((layer) => layer?.action !== undefined)?.action ?? base.categories[category].action,
          ...(threshold !== undefined && { threshold }),
        });
      }),
    ),
    unreadable: fields.unreadable ?? ofPreset.unreadable ?? base.unreadable,
  });
}

export function presetOf({ preset = 'default' }: PolicyFields): PresetName {
  return preset;
}
