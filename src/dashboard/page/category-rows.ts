/** A row for each category of a policy: its threshold as a slider on the bar of what the model saw, and what it means for a text. */
import type { PlaygroundResponse } from '../routes/admin-schemas.js';
import type { PresetsResponse } from '../routes/policy-schemas.js';
import { choice } from './choice.js';
import { h, withProperty } from './dom.js';
import type { Editing } from './policy-drafts.js';
import { policyInForce, presetInForce, presetOf, withRule } from './policy-fields.js';
import { ACTION_WORDS, ACTIONS } from './policy-wording.js';
import { labelOf, percentOf } from './wording.js';

type Labels = NonNullable<PlaygroundResponse['analysis']['details']>['labels'];

export interface CategoryRows {
  readonly element: HTMLElement;
  readonly update: () => void;
  /** @param labels of the text that was judged last; undefined where there is none */
  readonly showText: (labels: Labels | undefined) => void;
}

/** @param onSettled once a slider is let go or an action is chosen */
export function categoryRows(editing: Editing, onSettled: () => void = () => undefined): CategoryRows {
  const rows = editing.catalogue.categories.map((category) => categoryRow(category, editing, onSettled));
  const update = (): void => rows.forEach((row) => row.update());
  update();
  return {
    element: h('ul', { class: 'bars rules' }, ...rows.map(({ element }) => element)),
    update,
    showText(labels) {
      const probabilities: ReadonlyMap<string, number> = new Map(Object.entries(labels ?? {}));
      for (const row of rows) row.showProbability(probabilities.get(row.label));
    },
  };
}

function categoryRow({ name, label }: PresetsResponse['categories'][number], editing: Editing, onSettled: () => void) {
  const { draft, catalogue, changed } = editing;
  let probability: number | undefined;

  function set(change: Parameters<typeof withRule>[2]): void {
    draft.policy = withRule(draft.policy, name, change);
    changed();
  }

  const track = h('span', { class: 'track', 'aria-hidden': 'true' }, h('i'));
  const slider = h('input', {
    type: 'range',
    class: 'slider',
    min: 0,
    max: 1,
    step: 0.01,
    'aria-label': `Threshold of ${labelOf(name)}`,
    input: () => set({ threshold: slider.valueAsNumber }),
    change: onSettled,
  });
  const threshold = h('span', { class: 'from' });
  const figure = h('span', { class: 'figure' });
  const action = choice(
    ACTIONS,
    (each) => ACTION_WORDS[each],
    (chosen) => {
      set({ action: chosen });
      onSettled();
    },
  );
  action.element.setAttribute('aria-label', `A text with ${labelOf(name)}`);
  const reset = h(
    'button',
    {
      type: 'button',
      class: 'quiet',
      'aria-label': `As preset: threshold of ${labelOf(name)}`,
      click: () => {
        // It is about to go.
        slider.focus();
        set({ threshold: undefined });
        onSettled();
      },
    },
    'As preset',
  );
  const element = h(
    'li',
    {},
    h('span', { class: 'name' }, labelOf(name)),
    h('span', { class: 'slide' }, track, slider),
    figure,
    threshold,
    action.element,
    reset,
  );

  function update(): void {
    const own = draft.policy.categories?.[name];
    const rule = policyInForce(draft.policy, catalogue).ruleOf(name);
    const preset = presetInForce(presetOf(draft.policy), catalogue).ruleOf(name);
    slider.disabled = rule.threshold === undefined;
    if (rule.threshold !== undefined) {
      slider.value = String(rule.threshold);
      slider.setAttribute('aria-valuetext', percentOf(rule.threshold));
    }
    threshold.textContent = rule.threshold === undefined ? 'unknown' : `from ${percentOf(rule.threshold)}`;
    action.show(own?.action, preset.action && `${ACTION_WORDS[preset.action]} (preset)`);
    reset.hidden = own?.threshold === undefined;
    withProperty(track, '--value', probability ?? 0);
    figure.textContent = probability === undefined ? '' : percentOf(probability);
    const detected = probability !== undefined && rule.threshold !== undefined && probability >= rule.threshold;
    element.className = [rule.action ?? '', ...(detected && rule.action !== 'ignore' ? ['detected'] : [])].join(' ');
  }

  return {
    element,
    label,
    update,
    showProbability(shown: number | undefined) {
      probability = shown;
      update();
    },
  };
}
