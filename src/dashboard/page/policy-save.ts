/** Saves a draft or discards it, says what of it is unsaved, and settles it with what somebody else saved meanwhile. */
import { alertBox, announce, h } from './dom.js';
import { discard, isChanged, loadInto, save, type Conflict, type Editing } from './policy-drafts.js';
import { differingFields } from './policy-fields.js';
import { changeInWords, fieldsInWords, versionInWords } from './policy-wording.js';
import { messageOf } from './wording.js';

export interface SaveBar {
  readonly element: HTMLElement;
  readonly update: () => void;
}

/** @param onSaved called with what is in force then, and after another version was loaded */
export function saveBar({ api, draft, changed }: Editing, onSaved: () => void): SaveBar {
  const problem = alertBox();
  const conflict = h('div', { class: 'conflict warning', role: 'alert', hidden: true });
  const state = h('p', { class: 'state', tabindex: -1 });
  const saveButton = h('button', { type: 'button', class: 'primary', click: () => void trySave() }, 'Save policy');
  const discardButton = h('button', { type: 'button', class: 'quiet', click: drop }, 'Discard changes');

  async function trySave(): Promise<void> {
    problem.clear();
    conflict.hidden = true;
    saveButton.disabled = true;
    try {
      const found = await save(api, draft);
      if (found !== undefined) {
        showConflict(found);
        return;
      }
      settled(`Saved as version ${draft.base.version}. It is in force.`);
    } catch (error) {
      problem.show(messageOf(error));
    } finally {
      update();
    }
  }

  function settled(message: string): void {
    conflict.hidden = true;
    changed();
    onSaved();
    announce(message);
    // The button that was used is disabled or gone.
    state.focus();
  }

  function drop(): void {
    discard(draft);
    problem.clear();
    settled('Changes discarded.');
  }

  function showConflict({ present, versions }: Conflict): void {
    const name = present.version === 0 ? 'the present state' : `version ${present.version}`;
    const load = (keepsMine: boolean, message: string) => () => {
      loadInto(draft, present, keepsMine);
      settled(message);
    };
    conflict.replaceChildren(
      h('p', {}, h('strong', {}, 'Not saved: the policy was changed since you loaded it.'), ' Yours is still here.'),
      h(
        'ul',
        {},
        ...versions.map((each) =>
          h(
            'li',
            {},
            `${versionInWords(each)}: ${(each.changed ?? []).map((field) => changeInWords(field, each)).join('; ')}`,
          ),
        ),
      ),
      h(
        'div',
        { class: 'buttons' },
        h(
          'button',
          { type: 'button', click: load(true, `Your changes are made to ${name} now. They are not saved yet.`) },
          `Load ${name}, keep my changes`,
        ),
        h(
          'button',
          { type: 'button', class: 'quiet', click: load(false, `Loaded ${name}.`) },
          `Load ${name} without them`,
        ),
      ),
    );
    conflict.hidden = false;
  }

  function update(): void {
    const unsaved = isChanged(draft);
    element.classList.toggle('unsaved', unsaved);
    saveButton.disabled = !unsaved;
    discardButton.hidden = !unsaved;
    state.textContent = unsaved
      ? `Not saved: ${fieldsInWords(differingFields(draft.base.policy, draft.policy))}`
      : inForceInWords(draft.base);
  }

  const element = h(
    'section',
    { class: 'card save-bar', 'aria-label': 'Save' },
    conflict,
    problem.element,
    h('div', { class: 'actions' }, state, discardButton, saveButton),
  );
  update();
  return { element, update };
}

function inForceInWords({ version, at, by }: Editing['draft']['base']): string {
  if (at === null || by === null) return 'No policy yet: the settings of the service are in force.';
  return `In force: ${versionInWords({ version, at, by }).replace(/^V/, 'v')}`;
}
