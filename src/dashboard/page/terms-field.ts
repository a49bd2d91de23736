/** A list of terms to type, import and export. What is wrong with it is said, and it stays as it was typed. */
import type { TermsResponse } from '../routes/policy-schemas.js';
import { announce, h } from './dom.js';
import type { Editing } from './policy-drafts.js';
import type { TermField } from './policy-fields.js';
import { termsIn, textOfTerms } from './term-text.js';
import { messageOf, numberOf } from './wording.js';

export interface TermsField {
  readonly element: HTMLElement;
  readonly update: () => void;
}

interface Wording {
  readonly title: string;
  readonly hint: string;
  readonly fileName: string;
}

const MOST_PROBLEMS_SHOWN = 20;

export function termsField({ api, draft, changed }: Editing, field: TermField, wording: Wording): TermsField {
  const { title, hint, fileName } = wording;
  const text = h('textarea', {
    rows: 5,
    dir: 'auto',
    spellcheck: 'false',
    autocapitalize: 'off',
    input: read,
    change: () => void check(),
  });
  const count = h('small', { class: 'count' });
  const problems = h('ul', { class: 'problems', 'aria-label': `Lines of "${title}" that can be left out` });
  const file = h('input', { type: 'file', accept: '.txt,text/plain', hidden: true, change: () => void take() });
  let checked = '';
  let shown: readonly string[] | undefined;

  function read(): void {
    const terms = termsIn(text.value);
    shown = terms;
    draft.policy = { ...draft.policy, [field]: terms };
    changed();
  }

  async function check(): Promise<void> {
    const asked = text.value;
    if (asked === checked) return;
    checked = asked;
    let lines: string[];
    try {
      const answer = await api.send<TermsResponse>('POST', '/policy-terms', { text: asked });
      lines = inWords(answer.problems);
    } catch (error) {
      lines = [messageOf(error)];
    }
    if (asked !== checked) return;
    problems.replaceChildren(...lines.map((line) => h('li', {}, line)));
    problems.hidden = lines.length === 0;
    if (lines.length > 0) announce(`${title}: ${lines.join(' ')}`);
  }

  async function take(): Promise<void> {
    const [chosen] = file.files ?? [];
    if (chosen === undefined) return;
    const present = text.value.replace(/\n*$/, '');
    const added = await chosen.text();
    text.value = present === '' ? added : `${present}\n${added}`;
    // So that the same file can be chosen again.
    file.value = '';
    read();
    announce(`${numberOf(termsIn(added).length)} terms imported`);
    await check();
  }

  function give(): void {
    const link = h('a', { download: fileName });
    link.href = URL.createObjectURL(new Blob([textOfTerms(draft.policy[field] ?? [])], { type: 'text/plain' }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  function update(): void {
    const terms = draft.policy[field] ?? [];
    // What is typed stays as it is typed; only another list takes its place.
    if (terms !== shown && textOfTerms(terms) !== textOfTerms(termsIn(text.value))) {
      text.value = textOfTerms(terms);
      problems.hidden = true;
    }
    shown = terms;
    count.textContent = terms.length === 1 ? '1 term' : `${numberOf(terms.length)} terms`;
  }

  problems.hidden = true;
  update();
  return {
    update,
    element: h(
      'div',
      { class: 'terms' },
      h('label', { class: 'field' }, h('span', {}, title), text, h('small', {}, hint)),
      h(
        'div',
        { class: 'buttons' },
        count,
        h('button', { type: 'button', class: 'quiet', click: () => file.click() }, `Import ${fileName}`),
        h('button', { type: 'button', class: 'quiet', click: give }, `Export ${fileName}`),
        file,
      ),
      problems,
    ),
  };
}

function inWords(problems: TermsResponse['problems']): string[] {
  const more = problems.length - MOST_PROBLEMS_SHOWN;
  return [
    ...problems.slice(0, MOST_PROBLEMS_SHOWN).map(({ line, message }) => `Line ${line} ${message}.`),
    ...(more > 0 ? [`${numberOf(more)} lines more.`] : []),
  ];
}
