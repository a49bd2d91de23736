/** One decision with all that is kept of it. Its text is blurred until somebody wants to read it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { DecisionWithText } from '../../../decisions/written-decision.js';
import { playgroundLink } from '../policies/playground-link.js';
import { Alert, CopyButton, Facts } from '../shared/controls.js';
import { decisionFacts } from '../shared/decision-facts.js';
import { go } from '../shared/router.js';
import { may } from '../shared/person.js';
import { useAnswer } from '../shared/use-answer.js';
import { momentOf } from '../shared/words.js';
import { Outcome } from './decision-list.js';
import { DeleteReference } from './delete-reference.js';

interface OpenDecisionProps {
  readonly id: string;
  /** The list. */
  readonly back: string;
  readonly onDeleted: () => void;
}

export function OpenDecision({ id, back, onDeleted }: OpenDecisionProps) {
  const { answer: decision, problem } = useAnswer<DecisionWithText>(`/decisions/${encodeURIComponent(id)}`);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    section.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, []);
  function deleted(): void {
    onDeleted();
    go(back);
  }
  return (
    <section ref={section} class="card stack" tabIndex={-1} aria-label="Decision">
      <div class="title">
        <a class="button quiet" href={back}>
          ← All decisions
        </a>
        <div class="buttons">
          {typeof decision?.text === 'string' && (
            <a class="button quiet" href={playgroundLink(decision.projectId, decision.text)}>
              Open in playground
            </a>
          )}
          {may('editor') && typeof decision?.reference === 'string' && (
            <DeleteReference projectId={decision.projectId} reference={decision.reference} onDeleted={deleted} />
          )}
        </div>
      </div>
      <Alert>{problem}</Alert>
      {decision && (
        <>
          <TextOf decision={decision} />
          <Facts facts={factsOf(decision)} />
        </>
      )}
    </section>
  );
}

function TextOf({ decision: { text, textState } }: { readonly decision: DecisionWithText }) {
  const [isShown, setIsShown] = useState(false);
  if (text === null) return <p class="hint">{NO_TEXT[textState]}</p>;
  return (
    <div>
      <button type="button" aria-pressed={isShown} onClick={() => setIsShown(!isShown)}>
        {isShown ? 'Blur text' : 'Show text'}
      </button>
      <p class={isShown ? 'marked' : 'marked veil'} dir="auto" aria-hidden={!isShown}>
        {text}
      </p>
    </div>
  );
}

const NO_TEXT: Readonly<Record<DecisionWithText['textState'], string>> = {
  shown: '',
  'not kept': 'Its text is not kept.',
  withheld: 'Texts are shown to reviewers and above.',
  locked: 'No key in DECISIONS_KEY opens its text: it was encrypted with another one.',
};

function factsOf(decision: DecisionWithText) {
  const { review } = decision;
  return [
    ['Outcome', <Outcome {...decision} />] as const,
    ...decisionFacts(decision),
    ...(review === null ? [] : [['Review', review === 'open' ? 'to be reviewed' : review] as const]),
    ['Deleted', `by ${momentOf(decision.deleteAt)}`] as const,
    ['Key', <code>{decision.keyId}</code>] as const,
    ['Request', <code>{decision.requestId}</code>] as const,
    [
      'Id',
      <>
        <code>{decision.id}</code> <CopyButton text={() => decision.id} />
      </>,
    ] as const,
  ];
}
