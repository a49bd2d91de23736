/** Thresholds for a wanted share of false alarms, fitted to a labelled CSV and taken into the unsaved policy. Saves nothing. */
import type { FitResponse } from '../routes/policy-schemas.js';
import { alertBox, announce, h } from './dom.js';
import { field } from './dialog.js';
import { oneQuestion } from './one-question.js';
import { pathOf, type Editing } from './policy-drafts.js';
import { policyInForce, type InForce } from './policy-fields.js';
import { ACTION_WORDS } from './policy-wording.js';
import { doubtsInWords, fitBodyOf, shareInWords, thresholdInWords, withFitted } from './threshold-fits.js';
import { labelOf, numberOf, percentOf } from './wording.js';

type Fit = FitResponse['categories'][number];

const HEADINGS = ['Category', 'Threshold', 'Found (95 %)', 'False alarms (95 %)'];

export function policyFit({ api, draft, catalogue, changed }: Editing): HTMLElement {
  const problem = alertBox();
  const result = h('div', { class: 'stack', id: 'fit-result', tabindex: -1 });
  const file = h('input', { type: 'file', accept: '.csv,text/csv', required: true });
  const textColumn = columnInput('text');
  const labelColumn = columnInput('label');
  const positive = columnInput('1');
  const wanted = h('input', { type: 'number', min: 0.01, max: 50, step: 'any', value: 1, required: true });
  const own = catalogue.categories.map(({ name }) => ({ name, input: columnInput('') }));
  const submit = h('button', { class: 'primary' }, 'Fit thresholds');

  async function fit(): Promise<void> {
    const [chosen] = file.files ?? [];
    if (chosen === undefined) return;
    const { policy } = draft;
    const choice = fitBodyOf({
      textColumn: textColumn.value,
      labelColumn: labelColumn.value,
      labelColumns: new Map(own.map(({ name, input }) => [name, input.value])),
      positive: positive.value,
      falseAlarmsPercent: wanted.valueAsNumber,
    });
    await oneQuestion({ submit, result, problem }, async () => {
      const body = { csv: await chosen.text(), policy, ...choice };
      const answer = await api.send<FitResponse>('POST', `${pathOf(draft.projectId)}/fit`, body);
      result.replaceChildren(...partsOf(answer, policyInForce(policy, catalogue)), takeBar(answer));
      announce(`Fitted ${numberOf(answer.fitted.length)} of ${numberOf(answer.categories.length)} thresholds.`);
    });
  }

  function takeBar(answer: FitResponse): HTMLElement {
    const state = h(
      'small',
      {},
      answer.fitted.length === 0
        ? 'There is nothing to take: the texts are too few to tell.'
        : 'Changes thresholds only, no actions. Holds once the policy is saved.',
    );
    function take(): void {
      draft.policy = withFitted(draft.policy, answer);
      changed();
      state.textContent = `Taken: ${answer.fitted.map(labelOf).join(', ')}. Save the policy above.`;
      announce(state.textContent);
    }
    const button = h('button', { type: 'button', disabled: answer.fitted.length === 0, click: take }, 'Take into form');
    return h('div', { class: 'actions' }, state, button);
  }

  return h(
    'section',
    { class: 'card stack', 'aria-labelledby': 'fit-title' },
    h('h2', { id: 'fit-title' }, 'Thresholds from labels'),
    h(
      'form',
      {
        class: 'stack',
        submit: (event) => {
          event.preventDefault();
          void fit();
        },
      },
      h(
        'div',
        { class: 'fields' },
        field('Labelled CSV', file, 'A random sample of what you get, not the worst of it.'),
        field('Wanted false alarms in %', wanted, 'Of the texts that are not labelled so. 1 % needs some 800 of them.'),
        field('Text column', textColumn, 'Empty: the only one, or text, content, comment, message.'),
        field('Label column', labelColumn, 'For all categories that fail a text and have no column of their own.'),
        field('Label that means yes', positive, 'Empty: 1, true and numbers from 0.5 on.'),
      ),
      h(
        'details',
        {},
        h('summary', {}, 'Columns of single categories'),
        h(
          'div',
          { class: 'fields' },
          ...own.map(({ name, input }) => field(`Label column of ${labelOf(name)}`, input)),
        ),
      ),
      problem.element,
      h(
        'div',
        { class: 'actions' },
        h('small', {}, 'Judges with the policy as it stands above, saved or not. Stores nothing.'),
        submit,
      ),
    ),
    result,
  );
}

const columnInput = (placeholder: string): HTMLInputElement =>
  h('input', { spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', placeholder });

function partsOf(answer: FitResponse, inForce: InForce): Node[] {
  const { texts, leftOut, falseAlarms, categories, failing } = answer;
  const counts = [
    ['Texts', numberOf(texts)],
    ['Left out, blank or too long', numberOf(leftOut)],
    ['Wanted false alarms', `at most ${percentOf(falseAlarms)} each`],
  ] as const;
  const doubts = doubtsInWords(answer);
  return [
    h('dl', { class: 'facts' }, ...counts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)))),
    h(
      'table',
      { class: 'folding fits' },
      h('thead', {}, h('tr', {}, ...HEADINGS.map((heading) => h('th', { scope: 'col' }, heading)))),
      h(
        'tbody',
        {},
        ...categories.map((each) => categoryRow(each, inForce)),
        row('Whole policy', 'what fails, for whatever reason', undefined, failing),
      ),
    ),
    ...(doubts.length > 0 ? [h('ul', { class: 'problems' }, ...doubts.map((doubt) => h('li', {}, doubt)))] : []),
  ];
}

function categoryRow({ category, action, before, after }: Fit, inForce: InForce): HTMLElement {
  const present = thresholdInWords(inForce.ruleOf(category).threshold, 'unknown');
  const thresholds = [present, thresholdInWords(after.threshold, 'none')] as const;
  return row(labelOf(category), ACTION_WORDS[action], thresholds, { before, after });
}

function row(
  name: string,
  note: string,
  thresholds: readonly [string, string] | undefined,
  { before, after }: FitResponse['failing'],
): HTMLElement {
  const cells = [
    thresholds,
    [shareInWords(before.found), shareInWords(after.found)],
    [shareInWords(before.falseAlarms), shareInWords(after.falseAlarms)],
  ] as const;
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, name, h('small', {}, note)),
    ...cells.map((pair, index) => h('td', { 'data-heading': HEADINGS[index + 1] }, pair ? nowAndFitted(pair) : '–')),
  );
}

function nowAndFitted([now, fitted]: readonly [string, string]): HTMLElement {
  return h(
    'span',
    { class: 'pair' },
    h('span', {}, h('small', {}, 'now '), now),
    h('span', {}, h('small', {}, 'fitted '), fitted),
  );
}
