/** The texts that were tried since the page was opened, to look at again. Kept in the memory of the page alone. */
import type { PlaygroundResponse } from '../../routes/admin-schemas.js';

type Analysis = PlaygroundResponse['analysis'];

interface Tried {
  readonly text: string;
  readonly passed: boolean;
  readonly score: number;
}

const MOST_KEPT = 20;

/** The latest first, each text once. */
let tried: readonly Tried[] = [];

export function remember(text: string, { passed, score }: Analysis): void {
  tried = [{ text, passed, score }, ...tried.filter((each) => each.text !== text)].slice(0, MOST_KEPT);
}

export function forgetTriedTexts(): void {
  tried = [];
}

export function TriedTexts({ onChoose }: { readonly onChoose: (text: string) => void }) {
  if (tried.length === 0) return null;
  return (
    <section class="tried" aria-labelledby="tried-title">
      <h2 id="tried-title">Tried in this session</h2>
      <ul>
        {tried.map(({ text, passed, score }) => (
          <li key={text}>
            <button type="button" class="quiet" onClick={() => onChoose(text)}>
              <span class={`badge ${passed ? 'active' : 'revoked'}`}>
                {passed ? 'passed' : 'failed'}, {score}
              </span>
              <span class="one-line" dir="auto">
                {text}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
