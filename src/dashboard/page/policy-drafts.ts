/** Policies that are being changed: kept while the page lives, so that neither another view nor signing in anew loses what was typed. */
import type { HistoryResponse, PolicyResponse, PresetsResponse } from '../routes/policy-schemas.js';
import { ApiError, type Api } from './api.js';
import { differingFields, rebased, type Policy } from './policy-fields.js';

export interface Draft {
  readonly projectId: string;
  /** The version that the changes are made to. */
  base: PolicyResponse;
  /** Replaced with each change, never changed itself. */
  policy: Policy;
}

/** What an editor works on. */
export interface Editing {
  readonly api: Api;
  readonly draft: Draft;
  readonly catalogue: PresetsResponse;
  /** To be called with each change: every part shows what the draft has now. */
  readonly changed: () => void;
}

export interface Conflict {
  readonly present: PolicyResponse;
  /** Newest first. */
  readonly versions: HistoryResponse['versions'];
}

const drafts = new Map<string, Draft>();

addEventListener('beforeunload', (event) => {
  if ([...drafts.values()].some(isChanged)) event.preventDefault();
});

export const isChanged = ({ base, policy }: Draft): boolean => differingFields(base.policy, policy).length > 0;

/** That of the project with its unsaved changes, else the policy in force. @throws ApiError */
export async function openDraft(api: Api, projectId: string): Promise<Draft> {
  const present = await api.get<PolicyResponse>(pathOf(projectId));
  const known = drafts.get(projectId);
  if (known !== undefined && isChanged(known)) return known;
  const draft: Draft = { projectId, base: present, policy: present.policy };
  drafts.set(projectId, draft);
  return draft;
}

export function discard(draft: Draft): void {
  draft.policy = draft.base.policy;
}

/** @param keepsMine whether the unsaved changes are made to it */
export function loadInto(draft: Draft, present: PolicyResponse, keepsMine: boolean): void {
  draft.policy = keepsMine ? rebased(draft.base.policy, draft.policy, present.policy) : present.policy;
  draft.base = present;
}

/** @returns what else was changed meanwhile, where that is why nothing was saved. @throws ApiError for any other reason */
export async function save(api: Api, draft: Draft): Promise<Conflict | undefined> {
  const sent = draft.policy;
  try {
    const saved = await api.send<PolicyResponse>('PUT', pathOf(draft.projectId), {
      baseVersion: draft.base.version,
      policy: sent,
    });
    draft.base = saved;
    // What was typed while it was being saved stays.
    if (draft.policy === sent) draft.policy = saved.policy;
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'conflict') throw error;
  }
  return conflictOf(api, draft);
}

async function conflictOf(api: Api, { projectId, base }: Draft): Promise<Conflict> {
  const [present, { versions }] = await Promise.all([
    api.get<PolicyResponse>(pathOf(projectId)),
    api.get<HistoryResponse>(`${pathOf(projectId)}/history`),
  ]);
  return { present, versions: versions.filter(({ version }) => version > base.version) };
}

export const pathOf = (projectId: string): string => `/projects/${projectId}/policy`;
