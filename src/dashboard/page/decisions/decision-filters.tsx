/** The form that narrows the list down. What is chosen goes into the address. */
import { CATEGORIES } from '../../../moderation/categories.js';
import type { Project } from '../../routes/admin-schemas.js';
import { Choice } from '../shared/choice.js';
import { Field } from '../shared/controls.js';
import { change, go } from '../shared/router.js';
import { plainOf } from '../shared/words.js';
import { addressWith, SCORES, type Filter, type Filters } from './filters.js';

interface DecisionFiltersProps {
  readonly project: Project;
  readonly filters: Filters;
}

const OUTCOMES = ['true', 'false'] as const;
const DOORS = [
  '/v1/analyze',
  '/v1/analyze/batch',
  '/v1/moderations',
  '/v1alpha1/comments:analyze',
  '/beta/litellm_basic_guardrail_api',
  '/request',
  '/response',
  '/v1/guardrails/coral/:keyId',
  '/v1/guardrails/dify',
  '/v1/guardrails/portkey',
];
const REVIEWS = ['open', 'right', 'wrong'];

export function DecisionFilters({ project, filters }: DecisionFiltersProps) {
  const set =
    (name: Filter) =>
    (value: string | undefined): void =>
      change({ query: { [name]: value === '' ? undefined : value } });
  const day = (name: Filter) => (
    <input type="date" value={filters[name] ?? ''} onChange={({ currentTarget }) => set(name)(currentTarget.value)} />
  );
  const written = (name: Filter) => (
    <input
      type="text"
      value={filters[name] ?? ''}
      maxLength={200}
      spellcheck={false}
      onChange={({ currentTarget }) => set(name)(currentTarget.value.trim())}
    />
  );
  const chosen = (name: Filter, values: readonly string[], otherwise: string, wordsOf = (value: string) => value) => (
    <Choice values={values} wordsOf={wordsOf} value={filters[name]} otherwise={otherwise} onChoose={set(name)} />
  );
  return (
    <section class="card stack" aria-label="Filters">
      <div class="fields narrow">
        <Field label="From">{day('from')}</Field>
        <Field label="To">{day('to')}</Field>
        <Field label="Outcome">
          {chosen('passed', OUTCOMES, 'any', (value) => (value === 'true' ? 'passed' : 'failed'))}
        </Field>
        <Field label="Category">{chosen('category', CATEGORIES, 'any', plainOf)}</Field>
        <Field label="Score from">{chosen('minScore', SCORES, 'any')}</Field>
        <Field label="Score to">{chosen('maxScore', SCORES, 'any')}</Field>
        <Field label="Reference">{written('reference')}</Field>
        <Field label="Request id">{written('requestId')}</Field>
        <Field label="Language">{written('language')}</Field>
        <Field label="Asked at">{chosen('door', DOORS, 'any address')}</Field>
        <Field label="Review">{chosen('review', REVIEWS, 'any')}</Field>
      </div>
      {Object.keys(filters).length > 0 && (
        <div class="actions">
          <button type="button" class="quiet" onClick={() => go(addressWith(project.id, {}))}>
            Show all
          </button>
        </div>
      )}
    </section>
  );
}
