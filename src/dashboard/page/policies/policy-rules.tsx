/** What fails a text: the fields of a policy that can each be left to the preset. Writes into the draft, saves nothing. */
import { LABEL_CATEGORIES } from '../../../moderation/categories.js';
import { UNREADABLE_ACTIONS, type ScoreBand } from '../../../moderation/verdict-policy.js';
import { changedFields } from '../../../policies/policy-differences.js';
import { presetOf } from '../../../policies/policy-rules.js';
import type { PolicyFields } from '../../../policies/policy-schema.js';
import { Choice } from '../shared/choice.js';
import { Field } from '../shared/controls.js';
import { CategoryRows } from './category-rows.js';
import type { Editing } from './drafts.js';
import { policyInForce, type InForce } from './policy-fields.js';
import { PRESET_WORDS, scoreInWords, secondReviewsInWords, UNREADABLE_WORDS } from './policy-words.js';

const SCORES = Array.from({ length: 11 }, (_, score) => String(score));
/** Of second reviews; others can be set at the command line. */
const SHARES = [0.05, 0.1, 0.2, 0.5, 1];

export function PolicyRules({ editing }: { readonly editing: Editing }) {
  const { draft, catalogue, change } = editing;
  const { policy } = draft;
  const preset = policyInForce({ preset: presetOf(policy) }, catalogue);
  const set = (fields: PolicyFields): void => change({ ...policy, ...fields });
  const leftToPreset = { ...policy, passMaxScore: undefined, unreadable: undefined, categories: undefined };
  return (
    <section class="card stack" aria-labelledby="rules-title">
      <div class="title">
        <h2 id="rules-title">What fails</h2>
        <button
          type="button"
          class="quiet"
          disabled={changedFields(policy, leftToPreset).length === 0}
          onClick={() => change(leftToPreset)}
        >
          Leave everything to the preset
        </button>
      </div>
      <div class="fields">
        <Field label="Preset">
          <Choice
            values={catalogue.presets.map(({ name }) => name)}
            wordsOf={(name) => PRESET_WORDS[name]}
            value={presetOf(policy)}
            onChoose={(name) => set({ preset: name })}
          />
        </Field>
        <Field label="Highest score that passes">
          <Choice
            values={SCORES}
            wordsOf={(score) => scoreInWords(Number(score))}
            value={policy.passMaxScore?.toString()}
            otherwise={`${scoreInWords(preset.passMaxScore)} (preset)`}
            onChoose={(score) => set({ passMaxScore: score === undefined ? undefined : Number(score) })}
          />
        </Field>
        <Field label="Texts that cannot be read">
          <Choice
            values={UNREADABLE_ACTIONS}
            wordsOf={(each) => UNREADABLE_WORDS[each]}
            value={policy.unreadable}
            otherwise={`${UNREADABLE_WORDS[preset.unreadable]} (preset)`}
            onChoose={(unreadable) => set({ unreadable })}
          />
        </Field>
        <ScoresToReview
          scores={policy.review?.scores}
          onChoose={(scores) => set({ review: { ...policy.review, scores } })}
        />
        <SecondReviews
          share={policy.review?.secondReviews}
          onChoose={(secondReviews) => set({ review: { ...policy.review, secondReviews } })}
        />
      </div>
      <p class="hint">
        A category counts as detected from its threshold on. {scoreRuleInWords(policyInForce(policy, catalogue))}
      </p>
      <CategoryRows editing={editing} isOneLine />
    </section>
  );
}

interface ScoresToReviewProps {
  readonly scores: ScoreBand | undefined;
  readonly onChoose: (scores: ScoreBand | undefined) => void;
}

/** Both ends of a band; without the lower one there is none. */
function ScoresToReview({ scores, onChoose }: ScoresToReviewProps) {
  return (
    <>
      <Field label="Review scores from">
        <Choice
          values={SCORES}
          wordsOf={(score) => score}
          value={scores?.from.toString()}
          otherwise="none"
          onChoose={(from) =>
            onChoose(
              from === undefined ? undefined : { from: Number(from), to: Math.max(Number(from), scores?.to ?? 0) },
            )
          }
        />
      </Field>
      {scores && (
        <Field label="Review scores to">
          <Choice
            values={SCORES.slice(scores.from)}
            wordsOf={(score) => score}
            value={scores.to.toString()}
            onChoose={(to) => onChoose({ from: scores.from, to: Number(to ?? scores.from) })}
          />
        </Field>
      )}
    </>
  );
}

interface SecondReviewsProps {
  readonly share: number | undefined;
  readonly onChoose: (share: number | undefined) => void;
}

function SecondReviews({ share, onChoose }: SecondReviewsProps) {
  const shares = [...new Set([...SHARES, ...(share === undefined ? [] : [share])])].sort((one, other) => one - other);
  return (
    <Field label="Reviewed by two people">
      <Choice
        values={shares.map(String)}
        wordsOf={(each) => `${secondReviewsInWords(Number(each))} of what is judged`}
        value={share?.toString()}
        otherwise="none"
        onChoose={(chosen) => onChoose(chosen === undefined ? undefined : Number(chosen))}
      />
    </Field>
  );
}

/** What "is only reported" means beside the score, which no action changes. */
function scoreRuleInWords({ passMaxScore, ruleOf }: InForce): string {
  if (!LABEL_CATEGORIES.some((category) => ['report', 'review'].includes(ruleOf(category).action))) return '';
  const reported =
    'One that “is only reported”, or that passes to be reviewed, is named in the answer and fails nothing by itself';
  return passMaxScore === 10
    ? `${reported}. With 10 the score fails nothing either.`
    : `${reported}. The score still counts it: a text whose score is above ${passMaxScore} fails all the same. With 10 the categories alone decide.`;
}
