/** A row for each category of a policy: its threshold as a slider on the bar of what the model saw, and what it means for a text. */
import { useRef } from 'preact/hooks';
import { CATEGORY_ACTIONS } from '../../../moderation/verdict-policy.js';
import { presetOf } from '../../../policies/policy-rules.js';
import type { PlaygroundResponse } from '../../routes/admin-schemas.js';
import type { PresetsResponse } from '../../routes/policy-schemas.js';
import { Choice } from '../shared/choice.js';
import { Named } from '../shared/controls.js';
import { labelOf, percentOf, plainOf } from '../shared/words.js';
import type { Editing } from './drafts.js';
import { policyInForce, withRule, type RuleChange } from './policy-fields.js';
import { ACTION_WORDS } from './policy-words.js';

interface CategoryRowsProps {
  readonly editing: Editing;
  /** Of the text that was judged last. */
  readonly labels?: NonNullable<PlaygroundResponse['analysis']['details']>['labels'] | undefined;
  /** Once a slider is let go or an action is chosen. */
  readonly onSettled?: () => void;
  /** Where there is room. */
  readonly isOneLine?: boolean;
}

export function CategoryRows({ editing, labels, onSettled, isOneLine = false }: CategoryRowsProps) {
  return (
    <ul class={isOneLine ? 'bars rules one-line' : 'bars rules'}>
      {editing.catalogue.categories.map((category) => (
        <CategoryRow
          key={category.name}
          category={category}
          editing={editing}
          probability={labels?.[category.label]}
          onSettled={onSettled ?? (() => undefined)}
        />
      ))}
    </ul>
  );
}

interface CategoryRowProps {
  readonly category: PresetsResponse['categories'][number];
  readonly editing: Editing;
  readonly probability: number | undefined;
  readonly onSettled: () => void;
}

function CategoryRow({ category: { name }, editing, probability, onSettled }: CategoryRowProps) {
  const { draft, catalogue, change } = editing;
  const slider = useRef<HTMLInputElement>(null);
  const own = draft.policy.categories?.[name];
  const { threshold, action } = policyInForce(draft.policy, catalogue).ruleOf(name);
  const preset = policyInForce({ preset: presetOf(draft.policy) }, catalogue).ruleOf(name);
  const set = (rule: RuleChange): void => change(withRule(draft.policy, name, rule));
  const isDetected = probability !== undefined && threshold !== undefined && probability >= threshold;
  return (
    <li class={`${action} ${isDetected && action !== 'ignore' ? 'detected' : ''}`}>
      <span class="name">
        <Named words={plainOf(name)} name={name} />
      </span>
      <span class="slide">
        <span class="track" aria-hidden="true" style={{ '--value': probability ?? 0 }}>
          <i />
        </span>
        <input
          ref={slider}
          type="range"
          class="slider"
          min={0}
          max={1}
          step={0.01}
          value={threshold}
          disabled={threshold === undefined}
          aria-label={`Threshold of ${labelOf(name)}`}
          aria-valuetext={threshold === undefined ? undefined : percentOf(threshold)}
          onInput={({ currentTarget }) => set({ threshold: currentTarget.valueAsNumber })}
          onChange={onSettled}
        />
      </span>
      <span class="figure">{probability === undefined ? '' : percentOf(probability)}</span>
      <span class="from">{threshold === undefined ? 'unknown' : `from ${percentOf(threshold)}`}</span>
      <Choice
        values={CATEGORY_ACTIONS}
        wordsOf={(each) => ACTION_WORDS[each]}
        value={own?.action}
        otherwise={`${ACTION_WORDS[preset.action]} (preset)`}
        label={`A text with ${labelOf(name)}`}
        onChoose={(chosen) => {
          set({ action: chosen });
          onSettled();
        }}
      />
      <button
        type="button"
        class="quiet"
        hidden={own?.threshold === undefined}
        aria-label={`As preset: threshold of ${labelOf(name)}`}
        onClick={() => {
          // The button is about to go.
          slider.current?.focus();
          set({ threshold: undefined });
          onSettled();
        }}
      >
        As preset
      </button>
    </li>
  );
}
