/** Dialogs on the browser's own element: it keeps the focus inside and closes on Escape. */
import { alertBox, h } from './dom.js';
import { messageOf } from './wording.js';

export interface FormDialog {
  readonly title: string;
  readonly fields: readonly Node[];
  readonly action: string;
  readonly dangerous?: boolean;
  /** What it throws is shown, and the dialog stays. */
  readonly onSubmit: () => Promise<void>;
}

export function openForm({ title, fields, action, dangerous = false, onSubmit }: FormDialog): void {
  const problem = alertBox();
  const submit = h('button', { class: dangerous ? 'danger' : 'primary' }, action);
  const form = h(
    'form',
    {
      submit: (event) => {
        event.preventDefault();
        problem.clear();
        submit.disabled = true;
        onSubmit()
          .then(() => dialog.close())
          .catch((error: unknown) => problem.show(messageOf(error)))
          .finally(() => (submit.disabled = false));
      },
    },
    ...fields,
    problem.element,
    h(
      'div',
      { class: 'actions' },
      h('button', { type: 'button', class: 'quiet', click: () => dialog.close() }, 'Cancel'),
      submit,
    ),
  );
  const dialog = open(title, form);
}

/** For what is shown once: Escape does not close it. */
export function openNotice(title: string, ...content: readonly Node[]): void {
  const dialog = open(
    title,
    ...content,
    h(
      'div',
      { class: 'actions' },
      h('button', { type: 'button', class: 'primary', click: () => dialog.close() }, 'Done'),
    ),
  );
  dialog.addEventListener('cancel', (event) => event.preventDefault());
  // A second Escape closes the dialog whatever becomes of `cancel`: https://html.spec.whatwg.org/multipage/interaction.html#close-requests
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') event.preventDefault();
  });
}

/** Where the focus came from: the button, and the section that it is in. */
let cameFrom: readonly (string | undefined)[] = [];

function open(title: string, ...content: readonly Node[]): HTMLDialogElement {
  const opener = document.activeElement;
  if (document.querySelector('dialog') === null) cameFrom = [opener?.id, opener?.closest('section')?.id];
  const dialog = h('dialog', { 'aria-labelledby': 'dialog-title' }, h('h2', { id: 'dialog-title' }, title), ...content);
  dialog.addEventListener('close', () => {
    dialog.remove();
    giveFocusBack();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * The browser gives it back to the very button, but the change may have drawn the view anew: then to the button of the same id, or
 * to what it was in, else to the heading. Otherwise who works with the keyboard would start from the top of the page.
 */
function giveFocusBack(): void {
  const heading = document.querySelector<HTMLElement>('h1');
  if (heading !== null) heading.tabIndex = -1;
  const places = cameFrom.map((id) => (id === undefined ? null : document.getElementById(id)));
  for (const place of [...places, heading]) {
    if (document.activeElement !== document.body) return;
    place?.focus();
  }
}

export function closeDialogs(): void {
  for (const dialog of document.querySelectorAll('dialog')) dialog.close();
}

export function field(label: string, control: HTMLElement, hint?: string): HTMLElement {
  return h('label', { class: 'field' }, h('span', {}, label), control, hint !== undefined && h('small', {}, hint));
}
