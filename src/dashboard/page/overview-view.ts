/** What was judged: how much, how much of it failed, how fast, by project. */
import type { Overview } from '../routes/admin-schemas.js';
import type { Api } from './api.js';
import { announce, h } from './dom.js';
import { plot } from './plot.js';
import { dayOf, hourOf, messageOf, millisecondsOf, numberOf, shareOf } from './wording.js';

type Span = Overview['span'];
const SPANS: readonly (readonly [Span, string])[] = [
  ['24h', '24 hours'],
  ['30d', '30 days'],
];

export async function overviewView(api: Api): Promise<HTMLElement> {
  const content = h('div', { class: 'stack' });
  const buttons = SPANS.map(([span, name]) =>
    h('button', { type: 'button', 'aria-pressed': 'false', click: () => void choose(span) }, name),
  );

  async function show(span: Span): Promise<void> {
    const overview = await api.get<Overview>(`/overview?span=${span}`);
    content.replaceChildren(...partsOf(overview));
    buttons.forEach((button, index) => button.setAttribute('aria-pressed', String(SPANS[index]?.[0] === span)));
  }

  async function choose(span: Span): Promise<void> {
    try {
      await show(span);
      announce(`Shows ${span === '24h' ? '24 hours' : '30 days'}`);
    } catch (error) {
      content.replaceChildren(h('p', { class: 'alert', role: 'alert' }, messageOf(error)));
    }
  }

  await show('24h');
  return h(
    'div',
    { class: 'stack' },
    h(
      'div',
      { class: 'title' },
      h('h1', {}, 'Overview'),
      h('div', { class: 'segmented', role: 'group', 'aria-label': 'Time' }, ...buttons),
    ),
    content,
  );
}

function partsOf({ span, total, periods, projects }: Overview): Node[] {
  const nameOf = span === '24h' ? hourOf : dayOf;
  return [
    h(
      'dl',
      { class: 'tiles' },
      tile('Requests', numberOf(total.requests), 'verdicts for API keys'),
      tile(
        'Failed',
        shareOf(total.flagged, total.requests),
        `${numberOf(total.flagged)} of ${numberOf(total.requests)}`,
      ),
      tile('Latency, median', millisecondsOf(total.p50Ms), `95 % within ${millisecondsOf(total.p95Ms)}`),
      tile('From the cache', shareOf(total.cacheHits, total.requests), `${numberOf(total.cacheHits)} seen before`),
    ),
    total.requests === 0
      ? h(
          'div',
          { class: 'card empty' },
          h('h2', {}, 'Nothing was judged in this time'),
          h('p', {}, 'Requests with an API key are counted here. Texts are never kept.'),
          h('a', { class: 'button', href: '/dashboard/keys' }, 'Create a key'),
        )
      : h(
          'div',
          { class: 'plots' },
          plot({
            title: 'Requests',
            legend: ['passed', 'failed'],
            unit: numberOf,
            columns: periods.map(({ start, requests, flagged }) => ({
              label: nameOf(start),
              figures: `${numberOf(requests)} requests, ${numberOf(flagged)} failed`,
              whole: requests,
              part: flagged,
            })),
          }),
          plot({
            title: 'Latency',
            legend: ['95 % within', 'median'],
            unit: millisecondsOf,
            columns: periods.map(({ start, p50Ms, p95Ms }) => ({
              label: nameOf(start),
              figures:
                p50Ms === null
                  ? 'no requests'
                  : `median ${millisecondsOf(p50Ms)}, 95 % within ${millisecondsOf(p95Ms)}`,
              whole: p95Ms ?? 0,
              part: p50Ms ?? 0,
            })),
          }),
        ),
    projects.length === 0 ? h('div') : projectTable(projects),
  ];
}

function tile(name: string, value: string, hint: string): HTMLElement {
  return h('div', { class: 'card tile' }, h('dt', {}, name), h('dd', {}, value), h('dd', { class: 'hint' }, hint));
}

function projectTable(projects: Overview['projects']): HTMLElement {
  const headings = ['Project', 'Requests', 'Failed', 'From the cache', 'Median', '95 %'];
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, 'By project'),
    h(
      'table',
      { class: 'folding' },
      h('thead', {}, h('tr', {}, ...headings.map((heading) => h('th', { scope: 'col' }, heading)))),
      h(
        'tbody',
        {},
        ...projects.map(({ project, requests, flagged, cacheHits, p50Ms, p95Ms }) => {
          const cells = [
            numberOf(requests),
            shareOf(flagged, requests),
            shareOf(cacheHits, requests),
            millisecondsOf(p50Ms),
            millisecondsOf(p95Ms),
          ];
          return h(
            'tr',
            {},
            h('th', { scope: 'row' }, project ?? 'Removed keys'),
            ...cells.map((cell, index) => h('td', { 'data-heading': headings[index + 1] }, cell)),
          );
        }),
      ),
    ),
  );
}
