/** What a policy that is not saved would change: texts in, those that are judged otherwise out, the largest changes first. */
import type { PreviewResponse } from '../routes/policy-schemas.js';
import { alertBox, announce, h } from './dom.js';
import { field } from './dialog.js';
import { oneQuestion } from './one-question.js';
import { pathOf, type Editing } from './policy-drafts.js';
import { labelOf, numberOf } from './wording.js';

type Changed = PreviewResponse['changed'][number];

const HEADINGS = ['Text', 'Change', 'Score', 'In force', 'With the changes'];

export function policyPreview({ api, draft }: Editing): HTMLElement {
  const problem = alertBox();
  const result = h('div', { class: 'stack', id: 'preview-result', tabindex: -1 });
  const file = h('input', { type: 'file', accept: '.csv,.txt,text/csv,text/plain' });
  const lines = h('textarea', {
    rows: 5,
    dir: 'auto',
    spellcheck: 'false',
    placeholder: 'Paste texts, one a line',
    // What was given last counts.
    input: () => (file.value = ''),
  });
  const column = h('input', { spellcheck: 'false', autocapitalize: 'off', placeholder: 'text' });
  const submit = h('button', { class: 'primary' }, 'Preview');

  async function texts(): Promise<object> {
    const [chosen] = file.files ?? [];
    if (chosen === undefined) return { lines: lines.value };
    const content = await chosen.text();
    if (!chosen.name.toLowerCase().endsWith('.csv')) return { lines: content };
    return { csv: content, ...(column.value !== '' && { textColumn: column.value }) };
  }

  async function preview(): Promise<void> {
    await oneQuestion({ submit, result, problem }, async () => {
      const body = { policy: draft.policy, ...(await texts()) };
      const answer = await api.send<PreviewResponse>('POST', `${pathOf(draft.projectId)}/preview`, body);
      result.replaceChildren(...partsOf(answer));
      announce(`${numberOf(answer.nowFail)} now fail, ${numberOf(answer.nowPass)} now pass.`);
    });
  }

  return h(
    'section',
    { class: 'card stack', 'aria-labelledby': 'preview-title' },
    h('h2', { id: 'preview-title' }, 'Preview'),
    h(
      'form',
      {
        class: 'stack',
        submit: (event) => {
          event.preventDefault();
          void preview();
        },
      },
      field('Texts', lines),
      h(
        'div',
        { class: 'fields' },
        field('Or a file', file, 'CSV, or plain text with a text a line. It counts in place of what is pasted.'),
        field('Column of the texts', column, 'Of a CSV. Empty: the only one, or text, content, comment, message.'),
      ),
      problem.element,
      h(
        'div',
        { class: 'actions' },
        h('small', {}, 'Compares the policy as it stands above, saved or not, with the one in force. Stores nothing.'),
        submit,
      ),
    ),
    result,
  );
}

function partsOf({
  texts,
  failedBefore,
  failedAfter,
  nowFail,
  nowPass,
  otherCategories,
  changed,
}: PreviewResponse): Node[] {
  const all = nowFail + nowPass + otherCategories;
  const counts = [
    ['Texts', numberOf(texts)],
    ['Failed', `${numberOf(failedBefore)} → ${numberOf(failedAfter)}`],
    ['Now fail', numberOf(nowFail)],
    ['Now pass', numberOf(nowPass)],
    ['Other categories only', numberOf(otherCategories)],
  ] as const;
  return [
    h('dl', { class: 'facts' }, ...counts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)))),
    all === 0 ? h('p', {}, 'Nothing would change for these texts.') : table(changed),
    ...(all > changed.length
      ? [h('p', { class: 'hint' }, `The ${numberOf(changed.length)} largest changes are shown.`)]
      : []),
  ];
}

function table(changed: readonly Changed[]): HTMLElement {
  return h(
    'table',
    { class: 'folding changes' },
    h('thead', {}, h('tr', {}, ...HEADINGS.map((heading) => h('th', { scope: 'col' }, heading)))),
    h('tbody', {}, ...changed.map((each) => changedRow(each))),
  );
}

function changedRow({ row, text, change, score, before, after }: Changed): HTMLElement {
  const cells = [
    h('span', { class: `badge ${BADGES[change]}` }, change),
    String(score),
    outcome(before),
    outcome(after),
  ];
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, h('span', { class: 'quoted', dir: 'auto' }, text), h('small', {}, `row ${row}`)),
    ...cells.map((cell, index) => h('td', { 'data-heading': HEADINGS[index + 1] }, cell)),
  );
}

const BADGES: Readonly<Record<Changed['change'], string>> = {
  'now fails': 'revoked',
  'now passes': 'active',
  'other categories': '',
};

function outcome({ passed, categories }: Changed['before']): HTMLElement {
  const found = categories.map(labelOf).join(', ');
  return h('span', {}, passed ? 'passed' : 'failed', found !== '' && h('small', {}, `: ${found}`));
}
