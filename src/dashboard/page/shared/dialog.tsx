/** Dialogs on the browser's own element: it keeps the focus inside and closes on Escape. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Alert } from './controls.js';
import { useQuestion } from './use-question.js';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** For what is shown once: Escape does not close it. */
  readonly staysOnEscape?: boolean;
  readonly children: ComponentChildren;
}

function Dialog({ title, onClose, staysOnEscape = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    rememberFocus();
    element.current?.showModal();
    // Once the view shows what the dialog has changed.
    return () => void setTimeout(giveFocusBack);
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby="dialog-title"
      onClose={onClose}
      onCancel={(event) => staysOnEscape && event.preventDefault()}
      // A second Escape closes the dialog whatever becomes of `cancel`: https://html.spec.whatwg.org/multipage/interaction.html#close-requests
      onKeyDown={(event) => staysOnEscape && event.key === 'Escape' && event.preventDefault()}
    >
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}

interface FormDialogProps {
  readonly title: string;
  readonly action: string;
  readonly dangerous?: boolean;
  /** What it throws is shown, and the dialog stays. @param textOf the field of that name */
  readonly onSubmit: (textOf: (name: string) => string) => Promise<void>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function FormDialog({ title, action, dangerous = false, onSubmit, onClose, children }: FormDialogProps) {
  const { problem, isAsking, ask } = useQuestion<undefined>();
  function submit(event: SubmitEvent & { readonly currentTarget: HTMLFormElement }): void {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    void ask(async () => {
      await onSubmit((name) => {
        const value = fields.get(name);
        return typeof value === 'string' ? value : '';
      });
      return undefined;
    });
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        {children}
        <Alert>{problem}</Alert>
        <div class="actions">
          <button type="button" class="quiet" onClick={onClose}>
            Cancel
          </button>
          <button class={dangerous ? 'danger' : 'primary'} disabled={isAsking}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

export function Notice({ title, onClose, children }: Omit<DialogProps, 'staysOnEscape'>) {
  return (
    <Dialog title={title} onClose={onClose} staysOnEscape>
      {children}
      <div class="actions">
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}

/** Where the focus came from: the button, and the section that it is in. */
let cameFrom: readonly (HTMLElement | null | undefined)[] = [];

/** A dialog that follows another is of the same origin. */
function rememberFocus(): void {
  const from = document.activeElement;
  if (from instanceof HTMLElement && from !== document.body && from.closest('dialog') === null) {
    cameFrom = [from, from.closest('section')];
  }
}

/**
 * The button may be gone with what the dialog has changed: then to what it was in, or stands in its place, else to the heading. Otherwise
 * who works with the keyboard would start from the top of the page.
 */
function giveFocusBack(): void {
  if (document.activeElement !== document.body) return;
  const heading = document.querySelector<HTMLElement>('h1');
  if (heading !== null) heading.tabIndex = -1;
  for (const place of [...cameFrom, heading]) {
    const present = place?.isConnected === true ? place : document.getElementById(place?.id ?? '');
    present?.focus();
    if (present !== null && document.activeElement === present) return;
  }
}
