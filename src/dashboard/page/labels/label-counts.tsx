/** How many texts are labelled, by where the labels come from and by what they say, and the way to delete those of a source. */
import { useState } from 'preact/hooks';
import { KEPT_SOURCES, type KeptSource, type LabelSource } from '../../../labelling/label-record.js';
import type { LabelsResponse } from '../../labelling/label-schemas.js';
import type { Project } from '../../routes/admin-schemas.js';
import { Named } from '../shared/controls.js';
import { may } from '../shared/person.js';
import { numberOf, plainOf } from '../shared/words.js';
import { DeleteLabels } from './delete-labels.js';

const SOURCE_WORDS: Readonly<Record<LabelSource, readonly [name: string, explained: string]>> = {
  review: ['Reviews', 'They go with their decisions.'],
  suggestion: ['Suggestions', 'Of clients of Perspective, for as long as texts are kept.'],
  import: ['Imports', 'They stay until they are deleted.'],
};

interface LabelCountsProps {
  readonly labels: LabelsResponse;
  readonly project: Project;
  readonly onChanged: () => Promise<void>;
}

export function LabelCounts({ labels, project, onChanged }: LabelCountsProps) {
  const { texts, sources, outcome, categories } = labels;
  const [deleting, setDeleting] = useState<KeptSource>();
  return (
    <section id="label-counts" class="card stack" tabIndex={-1} aria-labelledby="counts-title">
      <div class="title">
        <h2 id="counts-title">{texts === 1 ? '1 labelled text' : `${numberOf(texts)} labelled texts`}</h2>
        {may('editor') && (
          <a class="button primary" href={`/dashboard/policies?project=${project.id}&tab=fit`}>
            Fit the policy to them
          </a>
        )}
      </div>
      <div class="halves">
        <table class="counts">
          <thead>
            <tr>
              <th scope="col">Source</th>
              <th scope="col">Texts</th>
              {may('editor') && <td />}
            </tr>
          </thead>
          <tbody>
            {sources.map(({ source, texts: count }) => {
              const [name, explained] = SOURCE_WORDS[source];
              const kept = KEPT_SOURCES.find((each) => each === source);
              return (
                <tr key={source}>
                  <th scope="row">
                    {name}
                    <small>{explained}</small>
                  </th>
                  <td>{numberOf(count)}</td>
                  {may('editor') && (
                    <td class="buttons">
                      {kept && count > 0 && (
                        <button
                          type="button"
                          class="quiet danger"
                          aria-label={`Delete ${name.toLowerCase()}`}
                          onClick={() => setDeleting(kept)}
                        >
                          Delete
                        </button>
                      )}
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
        <table class="counts">
          <thead>
            <tr>
              <th scope="col">What is said</th>
              <th scope="col">Yes</th>
              <th scope="col">No</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">
                <Named words="should pass" name="should_pass" />
              </th>
              <td>{numberOf(outcome.shouldPass)}</td>
              <td>{numberOf(outcome.shouldFail)}</td>
            </tr>
            {categories.map(({ category, yes, no }) => (
              <tr key={category}>
                <th scope="row">
                  <Named words={plainOf(category)} name={category} />
                </th>
                <td>{numberOf(yes)}</td>
                <td>{numberOf(no)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="hint">
        Reviews say yes or no of every category. Suggestions and imports say nothing of those that they leave out.
      </p>
      {deleting && (
        <DeleteLabels
          projectId={project.id}
          source={deleting}
          name={SOURCE_WORDS[deleting][0].toLowerCase()}
          onClose={() => setDeleting(undefined)}
          onDeleted={onChanged}
        />
      )}
    </section>
  );
}
