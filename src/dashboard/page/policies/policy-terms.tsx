/** The terms of a policy: those that always fail, and those that never count. */
import { BLOCKED_TERM_ACTIONS } from '../../../moderation/verdict-policy.js';
import { Choice } from '../shared/choice.js';
import { Field } from '../shared/controls.js';
import type { Editing } from './drafts.js';
import { BLOCKED_TERMS_WORDS } from './policy-words.js';
import { TermsField } from './terms-field.js';

export function PolicyTerms({ editing }: { readonly editing: Editing }) {
  const { draft, change } = editing;
  return (
    <section class="card stack" aria-labelledby="terms-title">
      <h2 id="terms-title">Terms</h2>
      <div class="fields">
        <Field label="A text with a blocked term">
          <Choice
            values={BLOCKED_TERM_ACTIONS}
            wordsOf={(each) => BLOCKED_TERMS_WORDS[each]}
            value={draft.policy.blockedTermsAction ?? 'fail'}
            onChoose={(blockedTermsAction) => change({ ...draft.policy, blockedTermsAction })}
          />
        </Field>
      </div>
      <div class="halves">
        <TermsField
          editing={editing}
          field="blockedTerms"
          title="Terms that always fail"
          hint="One a line. Whole words, or * for more letters; a text that has one fails or is masked, disguised or not."
          fileName="blocked.txt"
        />
        <TermsField
          editing={editing}
          field="ignoredTerms"
          title="Terms that never count"
          hint="One a line. Names, products, reclaimed words: the model reads a neutral word where one stands."
          fileName="ignored.txt"
        />
      </div>
    </section>
  );
}
