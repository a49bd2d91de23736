/** What is kept of a project's verdicts: looked for, opened, taken along and deleted. The address holds what is looked for. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { KeptResponse } from '../../routes/decision-schemas.js';
import type { Project } from '../../routes/admin-schemas.js';
import { Alert } from '../shared/controls.js';
import { ProjectView } from '../shared/project-choice.js';
import { go, usePlace } from '../shared/router.js';
import { useAnswer } from '../shared/use-answer.js';
import { numberOf } from '../shared/words.js';
import { DecisionFilters } from './decision-filters.js';
import { DecisionList } from './decision-list.js';
import { addressWith, filtersIn } from './filters.js';
import { OpenDecision } from './open-decision.js';

export function DecisionsView() {
  const { query } = usePlace();
  return (
    <ProjectView
      title="Decisions"
      withoutProject="The policy of a project says what is kept of its verdicts. Without one nothing is."
      onChoose={(id) => go(addressWith(id, filtersIn(query)))}
    >
      {(project) => <OfProject key={project.id} project={project} />}
    </ProjectView>
  );
}

function OfProject({ project }: { readonly project: Project }) {
  const { query } = usePlace();
  const { answer: kept, problem } = useAnswer<KeptResponse>(
    `/decisions/kept?${new URLSearchParams({ projectId: project.id })}`,
  );
  const opened = query.get('decision');
  const filters = filtersIn(query);
  const [deletions, setDeletions] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const before = useRef(opened);
  useEffect(() => {
    // Who comes back goes on at the decision that was read.
    if (opened === null && before.current !== null) {
      const [link] = [...(list.current?.querySelectorAll('a') ?? [])].filter(
        ({ search }) => new URLSearchParams(search).get('decision') === before.current,
      );
      link?.focus();
    }
    before.current = opened;
  }, [opened]);
  return (
    <>
      <Alert>{problem}</Alert>
      {kept && <WhatIsKept kept={kept} project={project} />}
      {/* It stays in the page, with all that was looked up so far. */}
      <div ref={list} class="stack" hidden={opened !== null}>
        <DecisionFilters project={project} filters={filters} />
        <DecisionList key={deletions} project={project} filters={filters} />
      </div>
      {opened !== null && (
        <OpenDecision
          key={opened}
          id={opened}
          back={addressWith(project.id, filters)}
          onDeleted={() => setDeletions(deletions + 1)}
        />
      )}
    </>
  );
}

function WhatIsKept({ kept, project }: { readonly kept: KeptResponse; readonly project: Project }) {
  const { lost, what, canKeepTexts } = kept;
  return (
    <>
      <p class="hint">
        {keptInWords(kept)}{' '}
        <a href={`/dashboard/policies?project=${project.id}&tab=keep`}>What the policy of {project.name} keeps</a>
      </p>
      {what === 'texts' && !canKeepTexts && (
        <p class="warning">Texts are not kept, only verdicts: this server has no DECISIONS_KEY.</p>
      )}
      {lost > 0 && (
        <p class="warning">
          {numberOf(lost)} {lost === 1 ? 'decision' : 'decisions'} of the last 30 days could not be kept: the store was
          slow or away. Their verdicts were given all the same.
        </p>
      )}
    </>
  );
}

function keptInWords({ what, days, reference }: KeptResponse): string {
  if (what === 'none' || days === null) {
    return 'Nothing is kept of new verdicts. What was kept before is here until its time has come.';
  }
  const named = reference === null ? '' : `, with metadata.${reference} as the reference`;
  return `${what === 'texts' ? 'Verdicts and texts are' : 'Verdicts are'} kept for ${days === 1 ? 'a day' : `${numberOf(days)} days`}${named}.`;
}
