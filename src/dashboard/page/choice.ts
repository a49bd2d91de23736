/** A list to choose one of, or none: then what would apply without a choice is named in its place. */
import { h } from './dom.js';

export interface Choice<Value extends string> {
  readonly element: HTMLSelectElement;
  /** @param otherwise what applies where nothing is chosen; left out where something always is */
  show(value: Value | undefined, otherwise?: string): void;
}

export function choice<Value extends string>(
  values: readonly Value[],
  wordsOf: (value: Value) => string,
  onChosen: (value: Value | undefined) => void,
): Choice<Value> {
  const none = h('option', { value: '' });
  const element = h(
    'select',
    { change: () => onChosen(values.find((value) => value === element.value)) },
    ...values.map((value) => h('option', { value }, wordsOf(value))),
  );
  return {
    element,
    show(value, otherwise) {
      if (otherwise === undefined) none.remove();
      else {
        none.textContent = otherwise;
        if (none.parentElement === null) element.prepend(none);
      }
      element.value = value ?? '';
    },
  };
}
