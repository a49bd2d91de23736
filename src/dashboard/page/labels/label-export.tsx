/** Labels with their texts as a file: for a table, for training, for Coop. */
import { Field } from '../shared/controls.js';

export function LabelExport({ projectId }: { readonly projectId: string }) {
  const address = `/dashboard/api/projects/${projectId}/labels/export`;

  function submit(event: SubmitEvent & { readonly currentTarget: HTMLFormElement }): void {
    event.preventDefault();
    const coopType = new FormData(event.currentTarget).get('coopType');
    const link = document.createElement('a');
    link.download = '';
    link.href = `${address}?${new URLSearchParams({ format: 'coop', coopType: typeof coopType === 'string' ? coopType.trim() : '' })}`;
    link.click();
  }

  return (
    <section class="card stack" aria-labelledby="export-title">
      <h2 id="export-title">Export</h2>
      <div class="buttons">
        <a class="button" href={`${address}?format=jsonl`} download>
          Export JSON Lines
        </a>
        <a class="button" href={`${address}?format=csv`} download>
          Export CSV
        </a>
      </div>
      <p class="hint">
        Of each text what was said last, with the text. <code>models/training</code> takes the JSON Lines as a source.
      </p>
      <details>
        <summary>For Coop</summary>
        <form class="stack" onSubmit={submit}>
          <Field
            label="Id of the item type"
            hint="Of the type that Coop knows these texts by. Each line is the body of a request to /api/v1/items/async/."
          >
            <input
              name="coopType"
              required
              maxLength={200}
              spellcheck={false}
              autocapitalize="off"
              autocomplete="off"
            />
          </Field>
          <div class="actions">
            <button>Export for Coop</button>
          </div>
        </form>
      </details>
    </section>
  );
}
