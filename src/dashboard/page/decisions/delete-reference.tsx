/** A button to forget all that is kept under a reference, after it has asked whether to. */
import { useState } from 'preact/hooks';
import { announce } from '../shared/announce.js';
import { send } from '../shared/api.js';
import { FormDialog } from '../shared/dialog.js';
import { numberOf } from '../shared/words.js';

interface DeleteReferenceProps {
  readonly projectId: string;
  readonly reference: string;
  readonly onDeleted: () => void;
}

export function DeleteReference({ projectId, reference, onDeleted }: DeleteReferenceProps) {
  const [asks, setAsks] = useState(false);
  async function remove(): Promise<void> {
    const query = new URLSearchParams({ projectId, reference });
    const { deleted } = await send<{ deleted: number }>('DELETE', `/decisions?${query}`);
    announce(`${numberOf(deleted)} deleted`);
    setAsks(false);
    onDeleted();
  }
  return (
    <>
      <button type="button" class="quiet danger" onClick={() => setAsks(true)}>
        Delete reference
      </button>
      {asks && (
        <FormDialog
          title="Delete what is kept of a reference"
          action="Delete for good"
          dangerous
          onSubmit={remove}
          onClose={() => setAsks(false)}
        >
          <p>
            All decisions of <code dir="auto">{reference}</code> are deleted, of every time, with their texts and
            reviews.
          </p>
        </FormDialog>
      )}
    </>
  );
}
