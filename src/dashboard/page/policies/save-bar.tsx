/** Saves a draft or discards it, says what of it is unsaved, and settles it with what somebody else saved meanwhile. */
import { useRef, useState } from 'preact/hooks';
import { changedFields } from '../../../policies/policy-differences.js';
import { announce } from '../shared/announce.js';
import { Alert } from '../shared/controls.js';
import { may } from '../shared/person.js';
import { useQuestion } from '../shared/use-question.js';
import { discard, isChanged, loadInto, save, type Conflict, type Draft } from './drafts.js';
import { changeInWords, fieldsInWords, versionInWords } from './policy-words.js';

interface SaveBarProps {
  readonly draft: Draft;
  /** Called once something was saved, and after another version was loaded. */
  readonly onSettled?: () => void;
}

export function SaveBar({ draft, onSettled }: SaveBarProps) {
  const { problem, isAsking, ask } = useQuestion<undefined>();
  const [conflict, setConflict] = useState<Conflict>();
  const state = useRef<HTMLParagraphElement>(null);
  const isUnsaved = isChanged(draft);
  if (!may('editor')) return null;

  function settled(message: string): void {
    setConflict(undefined);
    onSettled?.();
    announce(message);
    // The button that was used is disabled or gone.
    state.current?.focus();
  }

  async function trySave(): Promise<undefined> {
    setConflict(undefined);
    const answer = await save(draft);
    if ('present' in answer) setConflict(answer);
    else settled(`Saved as version ${answer.version}. It is in force.`);
  }

  function drop(): void {
    discard(draft);
    settled('Changes discarded.');
  }

  return (
    <section class={`card save-bar ${isUnsaved ? 'unsaved' : ''}`} aria-label="Save">
      {conflict && (
        <ConflictNotice
          conflict={conflict}
          onLoad={(keepsMine, message) => {
            loadInto(draft, conflict.present, keepsMine);
            settled(message);
          }}
        />
      )}
      <Alert>{problem}</Alert>
      <div class="actions">
        <p class="state" ref={state} tabIndex={-1}>
          {isUnsaved
            ? `Not saved: ${fieldsInWords(changedFields(draft.base.policy, draft.policy))}`
            : inForceInWords(draft.base)}
        </p>
        <button type="button" class="quiet" hidden={!isUnsaved} onClick={drop}>
          Discard changes
        </button>
        <button type="button" class="primary" disabled={!isUnsaved || isAsking} onClick={() => void ask(trySave)}>
          Save policy
        </button>
      </div>
    </section>
  );
}

interface ConflictNoticeProps {
  readonly conflict: Conflict;
  readonly onLoad: (keepsMine: boolean, message: string) => void;
}

function ConflictNotice({ conflict: { present, versions }, onLoad }: ConflictNoticeProps) {
  const name = present.version === 0 ? 'the present state' : `version ${present.version}`;
  return (
    <div class="conflict warning" role="alert">
      <p>
        <strong>Not saved: the policy was changed since you loaded it.</strong> Yours is still here.
      </p>
      <ul>
        {versions.map((each) => (
          <li key={each.version}>
            {versionInWords(each)}: {(each.changed ?? []).map((field) => changeInWords(field, each)).join('; ')}
          </li>
        ))}
      </ul>
      <div class="buttons">
        <button
          type="button"
          onClick={() => onLoad(true, `Your changes are made to ${name} now. They are not saved yet.`)}
        >
          Load {name}, keep my changes
        </button>
        <button type="button" class="quiet" onClick={() => onLoad(false, `Loaded ${name}.`)}>
          Load {name} without them
        </button>
      </div>
    </div>
  );
}

function inForceInWords({ version, at, by }: Draft['base']): string {
  if (at === null || by === null) return 'No policy yet: the settings of the service are in force.';
  return `In force: ${versionInWords({ version, at, by }).replace(/^V/, 'v')}`;
}
