/** The fields of a policy, each of which can be left to the preset. Writes what is typed into the draft, saves nothing. */
import { categoryRows } from './category-rows.js';
import { choice } from './choice.js';
import { field } from './dialog.js';
import { h } from './dom.js';
import type { Editing } from './policy-drafts.js';
import { differingFields, presetInForce, presetOf, type Policy } from './policy-fields.js';
import {
  BLOCKED_TERMS,
  BLOCKED_TERMS_WORDS,
  PRESET_WORDS,
  PRESETS,
  scoreInWords,
  UNREADABLE,
  UNREADABLE_WORDS,
} from './policy-wording.js';
import { termsField } from './terms-field.js';

export interface PolicyForm {
  readonly element: HTMLElement;
  readonly update: () => void;
}

const SCORES = Array.from({ length: 11 }, (_, score) => String(score));

export function policyForm(editing: Editing): PolicyForm {
  const { draft, catalogue, changed } = editing;
  function set(change: Policy): void {
    draft.policy = { ...draft.policy, ...change };
    changed();
  }

  const preset = choice(
    PRESETS,
    (each) => PRESET_WORDS[each],
    (name) => set({ preset: name }),
  );
  const score = choice(
    SCORES,
    (each) => scoreInWords(Number(each)),
    (value) => set({ passMaxScore: value === undefined ? undefined : Number(value) }),
  );
  const unreadable = choice(
    UNREADABLE,
    (each) => UNREADABLE_WORDS[each],
    (value) => set({ unreadable: value }),
  );
  const rows = categoryRows(editing);
  rows.element.classList.add('one-line');
  const blocked = termsField(editing, 'blockedTerms', {
    title: 'Terms that always fail',
    hint: 'One a line. Whole words, or * for more letters; a text that has one fails or is masked, disguised or not.',
    fileName: 'blocked.txt',
  });
  const blockedAction = choice(
    BLOCKED_TERMS,
    (each) => BLOCKED_TERMS_WORDS[each],
    (value) => set({ blockedTermsAction: value }),
  );
  const ignored = termsField(editing, 'ignoredTerms', {
    title: 'Terms that never count',
    hint: 'One a line. Names, products, reclaimed words: the model reads a neutral word where one stands.',
    fileName: 'ignored.txt',
  });
  const reset = h(
    'button',
    {
      type: 'button',
      class: 'quiet',
      click: () => set({ passMaxScore: undefined, unreadable: undefined, categories: undefined }),
    },
    'Leave everything to the preset',
  );

  function update(): void {
    const { policy } = draft;
    const { preset: chosen, blockedTerms, blockedTermsAction, ignoredTerms } = policy;
    const inForce = presetInForce(presetOf(policy), catalogue);
    preset.show(presetOf(policy));
    score.show(policy.passMaxScore?.toString(), `${scoreInWords(inForce.passMaxScore)} (preset)`);
    unreadable.show(policy.unreadable, `${UNREADABLE_WORDS[inForce.unreadable]} (preset)`);
    blockedAction.show(blockedTermsAction ?? 'fail');
    const terms = { blockedTerms, blockedTermsAction, ignoredTerms };
    reset.disabled = differingFields(policy, { preset: chosen, ...terms }).length === 0;
    for (const part of [rows, blocked, ignored]) part.update();
  }

  update();
  return {
    update,
    element: h(
      'div',
      { class: 'stack' },
      h(
        'section',
        { class: 'card stack', 'aria-labelledby': 'rules-title' },
        h('div', { class: 'title' }, h('h2', { id: 'rules-title' }, 'What fails'), reset),
        h(
          'div',
          { class: 'fields' },
          field('Preset', preset.element),
          field('Highest score that passes', score.element),
          field('Texts that cannot be read', unreadable.element),
        ),
        h('p', { class: 'hint' }, 'A category counts as detected from its threshold on.'),
        rows.element,
      ),
      h(
        'section',
        { class: 'card stack', 'aria-labelledby': 'terms-title' },
        h('h2', { id: 'terms-title' }, 'Terms'),
        h('div', { class: 'fields' }, field('A text with a blocked term', blockedAction.element)),
        h('div', { class: 'halves' }, blocked.element, ignored.element),
      ),
    ),
  };
}
