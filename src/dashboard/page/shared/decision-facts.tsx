/** What is said of a decision wherever one is shown. */
import { Named } from './controls.js';
import { languageOf, momentOf, plainOf } from './words.js';

interface ShownDecision {
  readonly at: string;
  readonly categories: readonly string[];
  readonly language: string | null;
  readonly policyVersion: number | null;
  readonly door: string;
  readonly reference: string | null;
}

export function decisionFacts({ at, categories, language, policyVersion, door, reference }: ShownDecision) {
  return [
    [
      'Categories',
      categories.length === 0
        ? 'none'
        : categories.map((name) => (
            <div key={name}>
              <Named words={plainOf(name)} name={name} />
            </div>
          )),
    ] as const,
    ...(language === null ? [] : [['Language', languageOf(language)] as const]),
    ['Decided', momentOf(at)] as const,
    ['Policy', policyVersion === null ? 'the settings of the service' : `version ${policyVersion}`] as const,
    ['Asked at', <code>{door}</code>] as const,
    ...(reference === null ? [] : [['Reference', <code dir="auto">{reference}</code>] as const]),
  ];
}
