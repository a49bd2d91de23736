/** Small parts that every view uses: labelled fields, messages, names of categories, the button that copies. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { announce } from './announce.js';

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Field({ label, hint, class: more = '', children }: FieldProps) {
  return (
    <label class={`field ${more}`}>
      <span>{label}</span>
      {children}
      {hint !== undefined && <small>{hint}</small>}
    </label>
  );
}

export function Alert({ children }: { readonly children: string | undefined }) {
  return children === undefined ? null : (
    <p class="alert" role="alert">
      {children}
    </p>
  );
}

export function Empty({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="card empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Names with their figures. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The plain word for what the API calls otherwise, with the name of the API behind it. */
export function Named({ words, name }: { readonly words: string; readonly name: string }) {
  return (
    <span class="named">
      {words} <code>{name}</code>
    </span>
  );
}

/** A button that copies and says so. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: () => string; readonly label?: string }) {
  const [copied, setCopied] = useState(false);
  async function onClick(near: HTMLElement): Promise<void> {
    await copy(text(), near);
    setCopied(true);
    announce('Copied');
    setTimeout(() => setCopied(false), 2000);
  }
  return (
    <button type="button" class="quiet copy" onClick={({ currentTarget }) => void onClick(currentTarget)}>
      {copied ? 'Copied' : label}
    </button>
  );
}

/** Browsers give the clipboard to secure pages only; plain HTTP within a network needs the old way. */
async function copy(text: string, near: HTMLElement): Promise<void> {
  if (window.isSecureContext) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = document.createElement('textarea');
  field.className = 'unseen';
  field.value = text;
  near.after(field);
  field.select();
  // Deprecated, and the only way where there is no clipboard.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  document.execCommand('copy');
  field.remove();
  near.focus();
}
