/** Asks before all labels of a source are deleted. */
import type { KeptSource } from '../../../labelling/label-record.js';
import { announce } from '../shared/announce.js';
import { send } from '../shared/api.js';
import { FormDialog } from '../shared/dialog.js';
import { numberOf } from '../shared/words.js';

interface DeleteLabelsProps {
  readonly projectId: string;
  readonly source: KeptSource;
  readonly name: string;
  readonly onClose: () => void;
  readonly onDeleted: () => Promise<void>;
}

export function DeleteLabels({ projectId, source, name, onClose, onDeleted }: DeleteLabelsProps) {
  async function remove(): Promise<void> {
    const { deleted } = await send<{ deleted: number }>('DELETE', `/projects/${projectId}/labels?source=${source}`);
    announce(`${numberOf(deleted)} deleted`);
    await onDeleted();
    onClose();
  }
  return (
    <FormDialog title={`Delete all ${name}`} action="Delete for good" dangerous onSubmit={remove} onClose={onClose}>
      <p>All {name} of this project are deleted, with their texts. Thresholds that were fitted to them stay.</p>
    </FormDialog>
  );
}
