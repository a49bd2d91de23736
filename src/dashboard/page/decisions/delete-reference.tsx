/** Asks whether all that is kept under a reference is to be forgotten. */
import { announce } from '../shared/announce.js';
import { send } from '../shared/api.js';
import { FormDialog } from '../shared/dialog.js';
import { numberOf } from '../shared/words.js';

interface DeleteReferenceProps {
  readonly projectId: string;
  readonly reference: string;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

export function DeleteReference({ projectId, reference, onDeleted, onClose }: DeleteReferenceProps) {
  async function remove(): Promise<void> {
    const query = new URLSearchParams({ projectId, reference });
    const { deleted } = await send<{ deleted: number }>('DELETE', `/decisions?${query}`);
    announce(`${numberOf(deleted)} deleted`);
    onClose();
    onDeleted();
  }
  return (
    <FormDialog
      title="Delete what is kept of a reference"
      action="Delete for good"
      dangerous
      onSubmit={remove}
      onClose={onClose}
    >
      <p>
        All decisions of <code dir="auto">{reference}</code> are deleted, of every time, with their texts and reviews.
      </p>
    </FormDialog>
  );
}
