/** What the routes of the admin API work with, and what they have in common in the API description. */
import type { Asking } from '../../http/asking.js';
import type { Counter } from '../../http/auth/rate-limit.js';
import type { RouteContext } from '../../http/routes/route-context.js';
import type { PolicySettings } from '../../moderation/verdict-policy.js';
import type { LabelledCsv, LabelledTexts } from '../../policies/fitting/labelled-texts.js';
import type { PoliciesInForce } from '../../policies/policies-in-force.js';
import type { PreviewText } from '../../policies/preview-texts.js';
import type { TextCipher } from '../../decisions/text-cipher.js';
import type { LabelFile, LabelsInFile } from '../../labelling/label-file.js';
import type { Labels } from '../../labelling/labels.js';
import type { Accounts } from '../../people/accounts.js';
import type { AdminTokens } from '../../people/admin-tokens.js';
import type { AuditLog } from '../../people/audit-log.js';
import type { DecisionRepository } from '../../decisions/decision-repository.js';
import { decisionWithTextSchema } from '../../decisions/written-decision.js';
import type { Invitations } from '../../people/invitations.js';
import type { Role } from '../../people/roles.js';
import { agreementSchema } from '../../reviews/agreement.js';
import type { Reviews } from '../../reviews/review-repository.js';
import type { Store } from '../../storage/store.js';
import type { Webhooks } from '../../webhooks/webhook-repository.js';
import type { KnownBrowsers } from '../session/known-browsers.js';
import type { Oidc, OidcSettings } from '../session/oidc.js';
import type { ProxyHeader } from '../session/proxy-header.js';
import type { Sessions } from '../session/sessions.js';
import type { SignIn } from '../session/sign-in.js';
import {
  type TermsResponse,
  historyResponse,
  policyBody,
  policyResponse,
  presetsResponse,
  previewBody,
  previewResponse,
  termsResponse,
  restoreBody,
  fitBody,
  fitResponse,
} from './policy-schemas.js';
import type { ApiExtension } from '../../http/api-description.js';
import { decisionSearchResponse, keptResponse } from './decision-schemas.js';
import { overviewResponse } from './overview/overview-schemas.js';
import {
  createdKeyResponse,
  keyBody,
  keyListResponse,
  keySchema,
  playgroundBody,
  playgroundResponse,
  projectBody,
  projectListResponse,
  projectSchema,
  rotateBody,
  sessionResponse,
  signInBody,
} from './admin-schemas.js';
import { signInWaysResponse } from './sign-in-schemas.js';
import {
  decisionToReviewSchema,
  judgementBody,
  judgementResponse,
  nextBody,
  nextResponse,
  releaseBody,
  releaseResponse,
} from './review-schemas.js';
import {
  labelImportBody,
  labelImportResponse,
  labelsDeletedResponse,
  labelsResponse,
} from '../labelling/label-schemas.js';
import { PEOPLE_REQUESTS, PEOPLE_RESPONSES } from '../people/people-schemas.js';
import {
  sentAgainResponse,
  webhookBody,
  webhookResponse,
  webhookRotateBody,
  webhookSecretResponse,
} from './webhook-schemas.js';
import { SESSION_COOKIE } from '../session/session-cookie.js';

/** Either lines or a CSV. */
export interface PreviewSource {
  readonly lines?: string | undefined;
  readonly csv?: string | undefined;
  readonly textColumn?: string | undefined;
}

/** What takes time that grows with a text: done on another thread. What is wrong with a text rejects with a ServiceError. */
export interface TextReading {
  readonly normalise: (text: string) => Promise<string>;
  readonly checkTerms: (text: string) => Promise<TermsResponse>;
  readonly previewTexts: (source: PreviewSource) => Promise<PreviewText[]>;
  readonly labelledTexts: (csv: LabelledCsv) => Promise<LabelledTexts>;
  readonly labels: (file: LabelFile) => Promise<LabelsInFile>;
}

/** How people sign in who have an account elsewhere. */
export interface SignInSettings {
  /** Where people open the page, without a path. */
  readonly publicUrl: string | undefined;
  readonly oidc: OidcSettings | undefined;
  readonly header: { readonly name: string; readonly defaultRole: Role | undefined } | undefined;
  readonly signOutUrl: string | undefined;
}

export interface AdminContext extends Pick<RouteContext, 'analyzer' | 'readyAnalyzer' | 'callerOf'> {
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly knownBrowsers: KnownBrowsers;
  /** Of attempts to sign in; undefined: this process counts alone. */
  readonly attempts?: Counter | undefined;
  /** Whether the owner has a password. */
  readonly hasPassword: boolean;
  readonly signInSettings: SignInSettings;
  /** Undefined where it is off, and so the next. */
  readonly oidc: Oidc | undefined;
  readonly proxyHeader: ProxyHeader | undefined;
  readonly store: Store;
  readonly accounts: Accounts;
  readonly invitations: Invitations;
  readonly tokens: AdminTokens;
  readonly audit: AuditLog;
  readonly reviews: Reviews;
  readonly labels: Labels;
  readonly webhooks: Webhooks;
  /** Of what is kept of texts. Undefined where nothing is. */
  readonly cipher: TextCipher | undefined;
  readonly policies: PoliciesInForce;
  readonly decisions: DecisionRepository;
  readonly settings: PolicySettings;
  readonly now: () => Date;
  readonly reading: TextReading;
  readonly askingKeys: Asking;
  readonly askingPolicies: Asking;
  /** Of what is kept of people and decisions. */
  readonly askingRecords: Asking;
  /** For the log. */
  readonly onProblem: (problem: string) => void;
}

export const ADMIN_API: ApiExtension = {
  tag: {
    name: 'dashboard',
    description: 'What the page /dashboard is made of. Takes a session or an admin token, never an API key.',
  },
  securitySchemes: {
    AdminSession: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
    CsrfToken: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token' },
    AdminToken: { type: 'http', scheme: 'bearer', description: 'Made by an owner; begins with parapet_admin_.' },
  },
  requestShapes: {
    SignInRequest: signInBody,
    ...PEOPLE_REQUESTS,
    ProjectRequest: projectBody,
    KeyRequest: keyBody,
    RotateRequest: rotateBody,
    PlaygroundRequest: playgroundBody,
    PolicyRequest: policyBody,
    PolicyRestoreRequest: restoreBody,
    PolicyPreviewRequest: previewBody,
    PolicyFitRequest: fitBody,
    NextDecisionRequest: nextBody,
    ReleaseRequest: releaseBody,
    JudgementRequest: judgementBody,
    LabelImportRequest: labelImportBody,
    WebhookRequest: webhookBody,
    WebhookRotateRequest: webhookRotateBody,
  },
  responseShapes: {
    Session: sessionResponse,
    SignInWays: signInWaysResponse,
    ...PEOPLE_RESPONSES,
    Project: projectSchema,
    ProjectList: projectListResponse,
    Key: keySchema,
    KeyList: keyListResponse,
    CreatedKey: createdKeyResponse,
    Playground: playgroundResponse,
    Policy: policyResponse,
    PolicyHistory: historyResponse,
    PolicyPresets: presetsResponse,
    PolicyPreview: previewResponse,
    TermListCheck: termsResponse,
    PolicyFit: fitResponse,
    Overview: overviewResponse,
    DecisionWithText: decisionWithTextSchema,
    DecisionSearch: decisionSearchResponse,
    Kept: keptResponse,
    DecisionToReview: decisionToReviewSchema,
    NextDecision: nextResponse,
    ReleasedDecisions: releaseResponse,
    JudgementOutcome: judgementResponse,
    Labels: labelsResponse,
    LabelImport: labelImportResponse,
    DeletedLabels: labelsDeletedResponse,
    Agreement: agreementSchema,
    Webhook: webhookResponse,
    WebhookSecret: webhookSecretResponse,
    WebhookSentAgain: sentAgainResponse,
  },
};

/** What a route needs: the least role of those who may use it, and for one that changes something its name in the audit log. */
export const may = (least: Role, audit?: string) => ({ least, audit });

const TAGS = [ADMIN_API.tag.name];

/** For routes that only look. */
export const reading = (summary: string) => ({
  summary,
  tags: TAGS,
  security: [{ AdminSession: [] }, { AdminToken: [] }],
});
/** For routes that change something, or cost work. */
export const changing = (summary: string) => ({
  summary,
  tags: TAGS,
  security: [{ AdminSession: [], CsrfToken: [] }, { AdminToken: [] }],
});
/** For signing in, by a password or an invitation. */
export const open = (summary: string) => ({ summary, tags: TAGS });
