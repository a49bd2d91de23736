/** Shows a verdict: outcome, score, the passages in the text that speak for it, and a bar for each label with its threshold. */
import type { PlaygroundResponse } from '../routes/admin-schemas.js';
import { h, withProperty } from './dom.js';
import { labelOf, languageOf, numberOf, percentOf } from './wording.js';

type Details = NonNullable<PlaygroundResponse['analysis']['details']>;
type Span = Details['spans'][number];

export function verdictParts(content: string, { analysis, normalised }: PlaygroundResponse): Node[] {
  const { details } = analysis;
  if (details === undefined) return [];
  return [
    h(
      'section',
      { class: `card verdict ${analysis.passed ? 'passed' : 'failed'}`, 'aria-label': 'Verdict' },
      h('p', { class: 'outcome' }, analysis.passed ? 'Passed' : 'Failed'),
      h(
        'div',
        { class: `score ${details.band.toLowerCase()}` },
        h('span', { class: 'points' }, String(analysis.score), h('small', {}, ' of 10')),
        withProperty(h('span', { class: 'meter', 'aria-hidden': 'true' }), '--value', analysis.score / 10),
      ),
      h('p', { class: 'description' }, analysis.description),
      h(
        'dl',
        { class: 'facts' },
        // A text that fails at any score is not to be called safe beside it.
        (analysis.passed || details.band !== 'Safe') && fact('Score band', details.band),
        fact('Sentiment', analysis.sentiment),
        details.language !== undefined &&
          fact(
            'Language',
            languageOf(details.language) + (details.languageExperimental === true ? ' (experimental)' : ''),
          ),
        fact('Categories', analysis.categories.map(labelOf).join(', ') || 'none'),
        details.policy !== undefined && fact('Policy', `${details.policy.name}, version ${details.policy.version}`),
        fact('Time', `${numberOf(analysis.processingTimeMs)} ms`),
      ),
    ),
    h(
      'section',
      { class: 'card' },
      h('h2', {}, 'In the text'),
      h('p', { class: 'marked', dir: 'auto' }, ...marked(content, details.spans)),
      normalised !== null && h('h3', {}, 'Read as'),
      normalised !== null && h('p', { class: 'marked copy-read', dir: 'auto' }, normalised),
    ),
  ];
}

/** Where no policy of a project can be tried on them. */
export function labelBars({ analysis: { details }, thresholds }: PlaygroundResponse): HTMLElement | undefined {
  if (details === undefined) return undefined;
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, 'Labels'),
    h('ul', { class: 'bars' }, ...bars(details, thresholds)),
  );
}

function fact(name: string, value: string | Node): HTMLElement {
  return h('div', {}, h('dt', {}, name), h('dd', {}, value));
}

function bars({ labels }: Details, thresholds: PlaygroundResponse['thresholds']): HTMLElement[] {
  const levels: ReadonlyMap<string, number> = new Map(Object.entries(thresholds));
  return Object.entries(labels).map(([label, probability]) => {
    const threshold = levels.get(label) ?? 1;
    const detected = probability >= threshold;
    const track = withProperty(
      withProperty(h('span', { class: 'track', 'aria-hidden': 'true' }, h('i'), h('b')), '--value', probability),
      '--threshold',
      threshold,
    );
    return h(
      'li',
      { class: detected ? 'detected' : '', title: `counts as detected from ${percentOf(threshold)}` },
      h('span', {}, labelOf(label)),
      track,
      h('span', { class: 'figure' }, percentOf(probability)),
      h('span', { class: 'unseen' }, `${detected ? 'detected' : 'not detected'}, threshold ${percentOf(threshold)}`),
    );
  });
}

/** Passages may share words: the text is cut wherever one begins or ends, and each piece carries the labels of all. */
function marked(content: string, spans: readonly Span[]): Node[] {
  const cuts = [...new Set([0, content.length, ...spans.flatMap(({ start, end }) => [start, end])])].sort(
    (a, b) => a - b,
  );
  return cuts.slice(0, -1).map((from, index) => {
    const to = cuts[index + 1] ?? content.length;
    const piece = content.slice(from, to);
    const covering = spans.filter(({ start, end }) => start <= from && end >= to);
    if (covering.length === 0) return document.createTextNode(piece);
    const labels = covering.map(({ label, probability }) => `${labelOf(label)} ${percentOf(probability)}`).join(', ');
    return h('mark', { tabindex: 0, 'data-labels': labels }, piece, h('span', { class: 'unseen' }, ` (${labels})`));
  });
}
