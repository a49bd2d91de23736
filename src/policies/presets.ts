/** What each preset sets, over the settings of the service. Data alone. */
import type { PolicyFields, PresetName } from './policy-schema.js';

type PresetFields = Omit<
  PolicyFields,
  'preset' | 'blockedTerms' | 'blockedTermsAction' | 'ignoredTerms' | 'review' | 'keep'
>;

/** Harm to persons and groups fails, bad words alone do not. */
const HARM_ALONE: PresetFields['categories'] = {
  toxic: { action: 'report' },
  obscene: { action: 'report' },
  insult: { action: 'report' },
  severe_toxic: { action: 'fail' },
  threat: { action: 'fail' },
  hate: { action: 'fail' },
  sexual: { action: 'fail' },
  self_harm: { action: 'fail' },
  spam: { action: 'fail' },
};

export const PRESETS: Readonly<Record<PresetName, PresetFields>> = {
  /** The settings as they are. */
  default: {},
  /** Quotes and reports of what is bad: its mention in plain words does not fail. */
  news: {
    passMaxScore: 6,
    categories: {
      ...HARM_ALONE,
      threat: { action: 'fail', threshold: 0.7 },
      sexual: { action: 'fail', threshold: 0.7 },
    },
  },
  /** Banter: swearing and boasts of beating the other side pass. */
  games: { passMaxScore: 8, categories: { ...HARM_ALONE, threat: { action: 'fail', threshold: 0.85 } } },
  /**
   * Swearing without a target, reclaimed words and abuse of things pass. `sexual` fails from high on: it is the one category that sexual
   * content about minors has.
   */
  adults: { passMaxScore: 10, categories: { ...HARM_ALONE, sexual: { action: 'fail', threshold: 0.8 } } },
  /** Everything that is detected fails, and most is detected earlier. */
  children: {
    passMaxScore: 2,
    categories: {
      toxic: { action: 'fail' },
      severe_toxic: { action: 'fail' },
      obscene: { action: 'fail', threshold: 0.3 },
      threat: { action: 'fail', threshold: 0.3 },
      insult: { action: 'fail', threshold: 0.3 },
      hate: { action: 'fail', threshold: 0.3 },
      sexual: { action: 'fail', threshold: 0.2 },
      self_harm: { action: 'fail', threshold: 0.2 },
      spam: { action: 'fail' },
    },
    unreadable: 'fail',
  },
};
