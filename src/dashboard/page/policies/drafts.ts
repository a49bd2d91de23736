/** Policies that are being changed: kept while the page lives, so that neither another view nor signing in anew loses what was typed. */
import { useEffect, useState } from 'preact/hooks';
import { changedFields } from '../../../policies/policy-differences.js';
import type { PolicyFields } from '../../../policies/policy-schema.js';
import type { HistoryResponse, PolicyResponse, PresetsResponse } from '../../routes/policy-schemas.js';
import { ApiError, get, send } from '../shared/api.js';
import { messageOf } from '../shared/words.js';
import { rebased } from './policy-fields.js';

export interface Draft {
  readonly projectId: string;
  /** The version that the changes are made to. */
  readonly base: PolicyResponse;
  readonly policy: PolicyFields;
}

/** What the parts of an editor work on. */
export interface Editing {
  readonly draft: Draft;
  readonly catalogue: PresetsResponse;
  /** The draft gets this policy, and every part shows it. */
  readonly change: (policy: PolicyFields) => void;
}

export interface Conflict {
  readonly present: PolicyResponse;
  /** Newest first. */
  readonly versions: HistoryResponse['versions'];
}

const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

addEventListener('beforeunload', (event) => {
  if ([...drafts.values()].some(isChanged)) event.preventDefault();
});

export const isChanged = ({ base, policy }: Draft): boolean => changedFields(base.policy, policy).length > 0;

export const pathOf = (projectId: string): string => `/projects/${projectId}/policy`;

/** The policy in force, or with its unsaved changes; they are there once the service has answered. */
export function useEditing(projectId: string): { readonly editing?: Editing; readonly problem?: string } {
  const [catalogue, setCatalogue] = useState<PresetsResponse>();
  const [draft, setDraft] = useState<Draft>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let isShown = true;
    const update = (): void => setDraft(drafts.get(projectId));
    listeners.add(update);
    Promise.all([get<PresetsResponse>('/policy-presets'), openDraft(projectId)])
      .then(([answer]) => {
        if (!isShown) return;
        setCatalogue(answer);
        update();
      })
      .catch((error: unknown) => setProblem(messageOf(error)));
    return () => {
      isShown = false;
      listeners.delete(update);
    };
  }, [projectId]);
  if (problem !== undefined) return { problem };
  if (catalogue === undefined || draft?.projectId !== projectId) return {};
  return { editing: { catalogue, draft, change: (policy) => keep({ ...draft, policy }) } };
}

/** @throws ApiError */
async function openDraft(projectId: string): Promise<void> {
  const present = await get<PolicyResponse>(pathOf(projectId));
  const known = drafts.get(projectId);
  if (known === undefined || !isChanged(known)) keep({ projectId, base: present, policy: present.policy });
}

function keep(draft: Draft): void {
  drafts.set(draft.projectId, draft);
  listeners.forEach((listener) => listener());
}

export function discard(draft: Draft): void {
  keep({ ...draft, policy: draft.base.policy });
}

/** @param keepsMine whether the unsaved changes are made to it */
export function loadInto({ projectId, base, policy }: Draft, present: PolicyResponse, keepsMine: boolean): void {
  const next = keepsMine ? rebased(base.policy, policy, present.policy) : present.policy;
  keep({ projectId, base: present, policy: next });
}

/** @returns what is in force then, or what else was changed meanwhile, where that is why nothing was saved. @throws ApiError */
export async function save({ projectId, base, policy: sent }: Draft): Promise<PolicyResponse | Conflict> {
  try {
    const saved = await send<PolicyResponse>('PUT', pathOf(projectId), { baseVersion: base.version, policy: sent });
    // What was typed while it was being saved stays.
    const typed = drafts.get(projectId)?.policy ?? sent;
    keep({ projectId, base: saved, policy: typed === sent ? saved.policy : typed });
    return saved;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'conflict') throw error;
  }
  const [present, { versions }] = await Promise.all([
    get<PolicyResponse>(pathOf(projectId)),
    get<HistoryResponse>(`${pathOf(projectId)}/history`),
  ]);
  return { present, versions: versions.filter(({ version }) => version > base.version) };
}
