/** Where a project has no labels: what they are, and where the first ones come from. */
import { may } from '../shared/person.js';

export function FirstLabel({ projectId }: { readonly projectId: string }) {
  const project = `project=${projectId}`;
  return (
    <section class="card stack" aria-labelledby="first-label-title">
      <h2 id="first-label-title">No labels yet</h2>
      <p class="hint">
        A label is what somebody says of a text: whether it should pass, and what is in it. The thresholds of the policy
        are fitted to labels. They come from:
      </p>
      <dl class="ways">
        <div>
          <dt>Reviews</dt>
          <dd>What is judged right or wrong under Review, of texts that are kept.</dd>
          {may('reviewer') && (
            <dd>
              <a class="button" href={`/dashboard/review?${project}`}>
                Review decisions
              </a>
            </dd>
          )}
        </div>
        <div>
          <dt>Suggestions</dt>
          <dd>
            What clients of the Perspective interface send to <code>comments:suggestscore</code>, where the policy keeps
            texts.
          </dd>
          <dd>
            <a class="button" href={`/dashboard/policies?${project}&tab=keep`}>
              What the policy keeps
            </a>
          </dd>
        </div>
        <div>
          <dt>Imports</dt>
          <dd>A file of texts that you have labels of.{!may('editor') && ' Editors import it here.'}</dd>
          {may('editor') && (
            <dd>
              <button type="button" onClick={() => document.getElementById('label-file')?.focus()}>
                Choose a file
              </button>
            </dd>
          )}
        </div>
      </dl>
    </section>
  );
}
