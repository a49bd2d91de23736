/** Builds elements without markup strings, so that nothing from a server or a person is ever read as HTML. */

type Child = Node | string | null | undefined | false;
type Attribute = string | number | boolean | undefined;

export type Attributes = Readonly<Record<string, Attribute | ((event: Event) => void)>>;

/** `h('p', { class: 'hint' }, 'text')`. A function is a listener for the event of that name. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A custom property: a style attribute would break the Content-Security-Policy, the object model does not. */
export function withProperty<Target extends HTMLElement>(element: Target, name: string, value: number): Target {
  element.style.setProperty(name, String(value));
  return element;
}

/** Read out by screen readers, seen by nobody. */
export function announce(message: string): void {
  document.getElementById('announcer')?.replaceChildren(message);
}

/** For texts that arrive after a click. */
export function alertBox(): { element: HTMLElement; show: (message: string) => void; clear: () => void } {
  const element = h('p', { class: 'alert', role: 'alert', hidden: true });
  return {
    element,
    show(message) {
      element.textContent = message;
      element.hidden = false;
    },
    clear() {
      element.hidden = true;
      element.textContent = '';
    },
  };
}

/** A button that copies and says so. */
export function copyButton(text: () => string, label = 'Copy'): HTMLButtonElement {
  const button = h('button', { type: 'button', class: 'quiet copy' }, label);
  button.addEventListener('click', () => {
    void copy(text(), button).then(() => {
      button.textContent = 'Copied';
      announce('Copied');
      setTimeout(() => (button.textContent = label), 2000);
    });
  });
  return button;
}

/** Browsers give the clipboard to secure pages only; plain HTTP within a network needs the old way. */
async function copy(text: string, near: HTMLElement): Promise<void> {
  if (window.isSecureContext) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = h('textarea', { class: 'unseen', 'aria-hidden': 'true' });
  field.value = text;
  near.after(field);
  field.select();
  // Deprecated, and the only way where there is no clipboard.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  document.execCommand('copy');
  field.remove();
  near.focus();
}
