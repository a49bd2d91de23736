/** The policy of a project in the playground: its thresholds on what the model saw of a text, tried at once and saved if they are good. */
import type { Project } from '../../routes/admin-schemas.js';
import { CategoryRows } from '../policies/category-rows.js';
import type { Editing } from '../policies/drafts.js';
import { SaveBar } from '../policies/save-bar.js';
import type { Labels } from './verdict.js';

interface TrialProps {
  readonly project: Project;
  readonly editing: Editing;
  readonly labels: Labels | undefined;
  /** Called when the text is to be judged anew. */
  readonly onTried: () => void;
}

export function Trial({ project, editing, labels, onTried }: TrialProps) {
  return (
    <section class="stack" aria-label={`Policy of ${project.name}`}>
      <div class="card stack">
        <div class="title">
          <h2>Categories</h2>
          <a class="button quiet" href={`/dashboard/policies?project=${project.id}`}>
            Whole policy
          </a>
        </div>
        <p class="hint">As {project.name} judges them. Move a threshold to try another.</p>
        <CategoryRows editing={editing} labels={labels} onSettled={onTried} />
      </div>
      <SaveBar draft={editing.draft} onSettled={onTried} />
    </section>
  );
}
