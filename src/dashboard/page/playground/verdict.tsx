/** Shows a verdict: outcome and reason, score, the passages in the text that speak for it, and a bar for each label with its threshold. */
import { LABELS } from '../../../labels.js';
import type { PlaygroundResponse } from '../../routes/admin-schemas.js';
import { Facts, Named } from '../shared/controls.js';
import { languageOf, numberOf, percentOf, plainOf } from '../shared/words.js';

type Details = NonNullable<PlaygroundResponse['analysis']['details']>;
export type Labels = Details['labels'];

interface VerdictProps {
  readonly content: string;
  readonly answer: PlaygroundResponse;
}

export function Verdict({ content, answer }: VerdictProps) {
  const { analysis, normalised } = answer;
  const { details } = analysis;
  if (details === undefined) return null;
  return (
    <>
      <section class={`card verdict ${analysis.passed ? 'passed' : 'failed'}`} aria-label="Verdict">
        <p class="outcome">{analysis.passed ? 'Passed' : 'Failed'}</p>
        <p class="description">{analysis.description}</p>
        <div class={`score ${details.band.toLowerCase()}`}>
          <span class="points">
            {analysis.score}
            <small> of 10</small>
          </span>
          <span class="meter" aria-hidden="true" style={{ '--value': analysis.score / 10 }} />
        </div>
        <Facts facts={factsOf(answer, details)} />
        {details.languageExperimental === true && (
          <p class="warning">
            The model is not yet good enough at {languageOf(details.language ?? 'other')} to rely on: it misses more
            there, and is wrong more often.
          </p>
        )}
      </section>
      <section class="card">
        <h2>In the text</h2>
        <MarkedText content={content} spans={details.spans} />
        {normalised !== null && (
          <>
            <h3>Read as</h3>
            <p class="marked copy-read" dir="auto">
              {normalised}
            </p>
          </>
        )}
      </section>
    </>
  );
}

function factsOf({ analysis, languageFigures }: PlaygroundResponse, details: Details) {
  const { language, languageExperimental, policy, band } = details;
  const experimental = languageExperimental === true ? ' (experimental)' : '';
  return [
    // A text that fails at any score is not to be called safe beside it.
    ...(analysis.passed || band !== 'Safe' ? [['Score band', band] as const] : []),
    ['Sentiment', analysis.sentiment] as const,
    ...(language === undefined ? [] : [['Language', languageOf(language) + experimental] as const]),
    ...(languageFigures === null
      ? []
      : [
          [
            'In this language',
            `finds ${percentOf(languageFigures.found)}, passes ${percentOf(languageFigures.passed)} of the harmless (${languageFigures.texts} texts)`,
          ] as const,
        ]),
    [
      'Categories',
      analysis.categories.length === 0
        ? 'none'
        : analysis.categories.map((name) => (
            <div key={name}>
              <Named words={plainOf(name)} name={name} />
            </div>
          )),
    ] as const,
    ...(policy === undefined ? [] : [['Policy', `${policy.name}, version ${policy.version}`] as const]),
    ['Time', `${numberOf(analysis.processingTimeMs)} ms`] as const,
  ];
}

/** Passages may share words: the text is cut wherever one begins or ends, and each piece carries the labels of all. */
function MarkedText({ content, spans }: { readonly content: string; readonly spans: Details['spans'] }) {
  const places = new Set([0, content.length, ...spans.flatMap(({ start, end }) => [start, end])]);
  const cuts = [...places].sort((a, b) => a - b);
  return (
    <p class="marked" dir="auto">
      {cuts.slice(0, -1).map((from, index) => {
        const to = cuts[index + 1] ?? content.length;
        const piece = content.slice(from, to);
        const covering = spans.filter(({ start, end }) => start <= from && end >= to);
        if (covering.length === 0) return piece;
        const labels = covering.map(({ label, probability }) => `${plainOf(label)} ${percentOf(probability)}`);
        return (
          <mark key={from}>
            {piece}
            <small dir="ltr"> {labels.join(', ')}</small>
          </mark>
        );
      })}
    </p>
  );
}

/** Where no policy of a project can be tried on them. */
export function LabelBars({ answer: { analysis, thresholds } }: Pick<VerdictProps, 'answer'>) {
  const labels = analysis.details?.labels ?? {};
  return (
    <section class="card">
      <h2>Labels</h2>
      <ul class="bars">
        {LABELS.map((label) => {
          const probability = labels[label];
          if (probability === undefined) return null;
          const threshold = thresholds[label] ?? 1;
          const detected = probability >= threshold;
          return (
            <li key={label} class={detected ? 'detected' : ''}>
              <Named words={plainOf(label)} name={label} />
              <span class="track" aria-hidden="true" style={{ '--value': probability, '--threshold': threshold }}>
                <i />
                <b />
              </span>
              <span class="figure">
                {percentOf(probability)}
                <small> from {percentOf(threshold)}</small>
              </span>
              <span class="unseen">{detected ? 'detected' : 'not detected'}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
