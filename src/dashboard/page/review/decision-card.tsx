/** A decision as a person is to judge it: the text, what the policy said of it, and the appeal against it. Texts are shown as text alone. */
import type { ComponentChildren } from 'preact';
import type { DecisionToReview } from '../../routes/review-schemas.js';
import { Facts } from '../shared/controls.js';
import { decisionFacts } from '../shared/decision-facts.js';
import { momentOf } from '../shared/words.js';

interface DecisionCardProps {
  readonly decision: DecisionToReview;
  readonly isShown: boolean;
  readonly onShow: () => void;
  readonly shortcut: ComponentChildren;
}

export function DecisionCard({ decision, isShown, onShow, shortcut }: DecisionCardProps) {
  const { text, appeal } = decision;
  return (
    <>
      {appeal && (
        <p class="warning">
          Appealed on {momentOf(appeal.at)}. {appeal.text === null ? 'The appellant gave no reason.' : ''}
        </p>
      )}
      {text === null ? (
        <p class="hint">The text is not kept, or the key that opens it is gone. Look it up by its reference.</p>
      ) : (
        <div class="veiled">
          <p class={isShown ? 'marked' : 'marked veil'} dir="auto" aria-hidden={!isShown}>
            {text}
          </p>
          {!isShown && (
            <button type="button" onClick={onShow}>
              Show text {shortcut}
            </button>
          )}
        </div>
      )}
      {appeal?.text && (
        <blockquote class={isShown ? '' : 'veil'} aria-hidden={!isShown} dir="auto">
          {appeal.text}
        </blockquote>
      )}
      <Facts facts={factsOf(decision)} />
    </>
  );
}

function factsOf(decision: DecisionToReview) {
  return [
    ['Decision', decision.passed ? 'Passed' : 'Failed'] as const,
    ['Score', `${decision.score} of 10`] as const,
    ['Project', decision.project] as const,
    ...decisionFacts(decision),
  ];
}
