/** Right or wrong; of what is wrong, what is right instead. The letters of the buttons work where nothing is typed. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { LABEL_CATEGORIES } from '../../../moderation/categories.js';
import type { DecisionToReview } from '../../routes/review-schemas.js';
import { Field, Named } from '../shared/controls.js';
import { labelOf, plainOf } from '../shared/words.js';
import type { Judgement } from './use-queue.js';

interface JudgingFormProps {
  readonly decision: DecisionToReview;
  readonly hasShortcuts: boolean;
  readonly onJudge: (judgement: Judgement) => void;
  readonly onSkip: () => void;
}

/** Of a new decision: give it the id as its key. */
export function JudgingForm({ decision, hasShortcuts, onJudge, onSkip }: JudgingFormProps) {
  const [isWrong, setIsWrong] = useState(false);
  const [shouldPass, setShouldPass] = useState(!decision.passed);
  const [categories, setCategories] = useState<readonly string[]>(decision.categories);
  const [note, setNote] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const noteField = useRef<HTMLTextAreaElement>(null);
  const said = note.trim() === '' ? undefined : note;

  useEffect(() => {
    if (isWrong) form.current?.querySelector<HTMLInputElement>('input[type=radio]:checked')?.focus();
  }, [isWrong]);

  const toggle = (name: string): void =>
    setCategories((chosen) => (chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]));
  const right = (): void => onJudge({ outcome: 'right', note: said });
  const wrong = (): void => onJudge({ outcome: 'wrong', shouldPass, categories, note: said });

  useShortcuts(hasShortcuts, (key) => {
    const category = LABEL_CATEGORIES[Number(key) - 1];
    if (category !== undefined && isWrong) toggle(category);
    else if (key === 'r') right();
    else if (key === 'w') setIsWrong(!isWrong);
    else if (key === 'p' && isWrong) setShouldPass(!shouldPass);
    else if (key === 'n') noteField.current?.focus();
    else if (key === 's') onSkip();
    else if (key === 'Enter' && isWrong) wrong();
    else return false;
    return true;
  });

  const shortcut = (key: string) => hasShortcuts && <kbd>{key}</kbd>;
  return (
    <form
      ref={form}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        wrong();
      }}
    >
      <div class="buttons judging">
        <button type="button" class="primary" onClick={right}>
          Right {shortcut('R')}
        </button>
        <button type="button" class="danger" aria-expanded={isWrong} onClick={() => setIsWrong(!isWrong)}>
          Wrong {shortcut('W')}
        </button>
        <button type="button" class="quiet" onClick={onSkip}>
          Leave to others {shortcut('S')}
        </button>
      </div>
      {isWrong && (
        <>
          <fieldset>
            <legend>The text should have {shortcut('P')}</legend>
            {[true, false].map((passes) => (
              <label key={String(passes)} class="check">
                <input
                  type="radio"
                  name="should-pass"
                  checked={passes === shouldPass}
                  onChange={() => setShouldPass(passes)}
                />
                {passes ? 'passed' : 'failed'}
              </label>
            ))}
          </fieldset>
          <fieldset>
            <legend>What is in it</legend>
            {LABEL_CATEGORIES.map((name, index) => (
              <label key={name} class="check">
                <input type="checkbox" checked={categories.includes(name)} onChange={() => toggle(name)} />
                <Named words={plainOf(name)} name={labelOf(name)} /> {shortcut(String(index + 1))}
              </label>
            ))}
          </fieldset>
        </>
      )}
      <Field label="Note" hint={hasShortcuts ? 'For other moderators; N leads here' : 'For other moderators'}>
        <textarea
          ref={noteField}
          rows={2}
          maxLength={2000}
          value={note}
          onInput={({ currentTarget }) => setNote(currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        />
      </Field>
      {isWrong && (
        <div class="actions">
          <button class="primary">Save {shortcut('⏎')}</button>
        </div>
      )}
    </form>
  );
}

/** @param onKey whether it was one @see https://www.w3.org/TR/WCAG22/#character-key-shortcuts: they can be turned off */
export function useShortcuts(isOn: boolean, onKey: (key: string) => boolean): void {
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    if (!isOn) return undefined;
    const listen = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTypedInto(event)) return;
      if (latest.current(event.key.length === 1 ? event.key.toLowerCase() : event.key)) event.preventDefault();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [isOn]);
}

function isTypedInto({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest('dialog, textarea, select') !== null) return true;
  // They have a meaning of their own on what has the focus.
  if (key === 'Enter') return target.closest('button, a, input, summary') !== null;
  return target.closest('input:not([type=checkbox], [type=radio])') !== null;
}
