/** A form that asks the service one thing at a time: it waits for the answer, or shows why there is none. Knows nothing of what is asked. */
import type { alertBox } from './dom.js';
import { messageOf } from './wording.js';

export interface QuestionParts {
  readonly submit: HTMLButtonElement;
  /** Holds the answer, which goes where there is a problem. */
  readonly result: HTMLElement;
  readonly problem: ReturnType<typeof alertBox>;
}

/** @param ask puts the answer into the result; what it throws is shown */
export async function oneQuestion({ submit, result, problem }: QuestionParts, ask: () => Promise<void>): Promise<void> {
  problem.clear();
  submit.disabled = true;
  result.setAttribute('aria-busy', 'true');
  try {
    await ask();
  } catch (error) {
    result.replaceChildren();
    problem.show(messageOf(error));
  } finally {
    submit.disabled = false;
    result.removeAttribute('aria-busy');
  }
}
