/** What the policy keeps of each verdict, and for how long. Writes into the draft, saves nothing. */
import { KEPT, MOST_KEPT_DAYS, type Kept } from '../../../moderation/verdict-policy.js';
import type { KeptResponse } from '../../routes/decision-schemas.js';
import { Choice } from '../shared/choice.js';
import { Field } from '../shared/controls.js';
import type { Editing } from '../policies/drafts.js';
import { KEPT_WORDS } from '../policies/policy-words.js';

const DEFAULT_DAYS = 30;

interface PolicyKeepProps {
  readonly editing: Editing;
  /** Of the policy in force; undefined until it is known. */
  readonly kept: KeptResponse | undefined;
}

export function PolicyKeep({ editing, kept }: PolicyKeepProps) {
  const { draft, change } = editing;
  const { projectId, policy } = draft;
  const { what = 'none', days = DEFAULT_DAYS, reference } = policy.keep ?? {};
  const set = (keep: { what?: Kept; days?: number; reference?: string | undefined }): void => {
    const next = { what, days, reference, ...keep };
    change({ ...policy, keep: next.what === 'none' ? undefined : next });
  };
  const lacksKey = kept?.canKeepTexts === false;
  return (
    <section class="card stack" aria-labelledby="keep-title">
      <h2 id="keep-title">What is kept</h2>
      <div class="fields">
        <Field label="Of each verdict">
          <Choice
            values={lacksKey && what !== 'texts' ? KEPT.filter((each) => each !== 'texts') : KEPT}
            wordsOf={(each) => KEPT_WORDS[each]}
            value={what}
            onChoose={(chosen) => set({ what: chosen ?? 'none' })}
          />
        </Field>
        {what !== 'none' && (
          <>
            <Field label="Days" hint="Then it is deleted. Fewer days count for what is kept already, too.">
              <input
                type="number"
                min={1}
                max={MOST_KEPT_DAYS}
                value={days}
                onChange={({ currentTarget }) => set({ days: Math.round(currentTarget.valueAsNumber) || DEFAULT_DAYS })}
              />
            </Field>
            <Field
              label="Your reference, in metadata"
              hint="A member such as id: decisions are found and deleted by it. Empty for none."
            >
              <input
                type="text"
                maxLength={100}
                spellcheck={false}
                value={reference ?? ''}
                onChange={({ currentTarget }) => set({ reference: currentTarget.value.trim() || undefined })}
              />
            </Field>
          </>
        )}
      </div>
      <p class="hint">
        {what === 'texts'
          ? 'Texts are encrypted in the store, and shown to reviewers and above. Say so to those who write them.'
          : 'A verdict is its time, outcome, score, categories, language and policy version, the key and the request.'}
        {lacksKey && ' Texts can be kept once DECISIONS_KEY is set.'}{' '}
        <a href={`/dashboard/decisions?project=${projectId}`}>Decisions</a>
      </p>
    </section>
  );
}
