/** A form that asks the service one thing at a time: it waits for the answer, or shows why there is none. Knows nothing of what is asked. */
import { useState } from 'preact/hooks';
import { messageOf } from './words.js';

export interface Question<Answer> {
  readonly answer?: Answer;
  readonly problem?: string;
  readonly isAsking: boolean;
  readonly ask: (ask: () => Promise<Answer>) => Promise<void>;
}

export function useQuestion<Answer>(): Question<Answer> {
  const [state, setState] = useState<Omit<Question<Answer>, 'ask'>>({ isAsking: false });
  async function ask(question: () => Promise<Answer>): Promise<void> {
    setState(({ answer }) => ({ ...(answer !== undefined && { answer }), isAsking: true }));
    try {
      setState({ answer: await question(), isAsking: false });
    } catch (error) {
      setState({ problem: messageOf(error), isAsking: false });
    }
  }
  return { ...state, ask };
}
