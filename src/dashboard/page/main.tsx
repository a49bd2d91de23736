/** The page: who is signed in, which view is shown, and the frame around it. */
import { render, type JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { DecisionsView } from './decisions/decisions-view.js';
import type { Role } from '../../people/roles.js';
import { AccountView } from './account/account-view.js';
import { AuditView } from './audit/audit-view.js';
import icon from './icon.svg';
import { KeysView } from './keys/keys-view.js';
import { LabelsView } from './labels/labels-view.js';
import { OverviewView } from './overview/overview-view.js';
import { PlaygroundView } from './playground/playground-view.js';
import { forgetTriedTexts } from './playground/tried-texts.js';
import { PeopleView } from './people/people-view.js';
import { PoliciesView } from './policies/policies-view.js';
import { forgetWatchedTexts } from './policies/preview/watched-texts.js';
import { ReviewView } from './review/review-view.js';
import { onSessionEnd, resume, send } from './shared/api.js';
import { Alert, Empty } from './shared/controls.js';
import { may, person } from './shared/person.js';
import { change, go, usePlace } from './shared/router.js';
import { messageOf } from './shared/words.js';
import { InvitationView } from './sign-in/invitation-view.js';
import { WaysIn } from './sign-in/ways-in.js';
import './style.css';

interface ViewEntry {
  readonly path: string;
  readonly name: string;
  /** Of those to whom it is offered. */
  readonly least: Role;
  readonly View: () => JSX.Element;
}

const OVERVIEW: ViewEntry = { path: '/dashboard', name: 'Overview', least: 'viewer', View: OverviewView };
const ACCOUNT: ViewEntry = { path: '/dashboard/account', name: 'Account', least: 'viewer', View: AccountView };
const VIEWS: readonly ViewEntry[] = [
  OVERVIEW,
  { path: '/dashboard/decisions', name: 'Decisions', least: 'viewer', View: DecisionsView },
  { path: '/dashboard/review', name: 'Review', least: 'reviewer', View: ReviewView },
  { path: '/dashboard/labels', name: 'Labels', least: 'viewer', View: LabelsView },
  { path: '/dashboard/keys', name: 'Keys', least: 'viewer', View: KeysView },
  { path: '/dashboard/policies', name: 'Policies', least: 'viewer', View: PoliciesView },
  { path: '/dashboard/playground', name: 'Playground', least: 'reviewer', View: PlaygroundView },
  { path: '/dashboard/people', name: 'People', least: 'owner', View: PeopleView },
  { path: '/dashboard/audit', name: 'Audit', least: 'owner', View: AuditView },
];

interface Session {
  readonly state: 'unknown' | 'open' | 'ended';
  /** Why one has to sign in, or why it cannot be known whether. */
  readonly notice?: string;
  readonly hasSignedOut?: true;
}

function App() {
  const place = usePlace();
  const [session, setSession] = useState<Session>({ state: 'unknown' });
  const [problem, setProblem] = useState<string>();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const { path, name, least, View } = [...VIEWS, ACCOUNT].find((each) => each.path === place.path) ?? OVERVIEW;
  const invitation = place.fragment.get('invitation');

  useEffect(() => {
    onSessionEnd(() => setSession({ state: 'ended', notice: 'Your session has ended. Sign in again.' }));
    resume()
      .then((isOpen) => setSession({ state: isOpen ? 'open' : 'ended' }))
      .catch((error: unknown) => setSession({ state: 'unknown', notice: messageOf(error) }));
    document.addEventListener('click', followLink);
  }, []);

  useEffect(() => {
    if (session.state === 'unknown') return;
    document.title = `${session.state === 'open' ? name : 'Sign in'} · Parapet`;
    setProblem(undefined);
    // Who opens the page starts at its top; who goes on in it at the new view.
    if (!isFirst.current) focusStart(main.current);
    isFirst.current = false;
  }, [session.state, path]);

  function onSignedIn(): void {
    // What a link brought has done its work, and a refusal of another way counts no more.
    change({ fragment: { pass: undefined, invitation: undefined, refused: undefined } }, true);
    setSession({ state: 'open' });
  }

  async function signOut(): Promise<void> {
    try {
      await send('DELETE', '/session');
      forgetTriedTexts();
      forgetWatchedTexts();
      change({ fragment: { text: undefined } }, true);
      setSession({ state: 'ended', hasSignedOut: true });
    } catch (error) {
      setProblem(messageOf(error));
    }
  }

  const isOpen = session.state === 'open' && invitation === null;
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <header>
        <a class="brand" href="/dashboard">
          <img src={icon} alt="" width={24} height={24} />
          Parapet
        </a>
        {isOpen && (
          <>
            <nav aria-label="Views">
              {VIEWS.filter((view) => may(view.least)).map((view) => (
                <a key={view.path} href={view.path} aria-current={view.path === path ? 'page' : undefined}>
                  {view.name}
                </a>
              ))}
            </nav>
            <a class="who" href={ACCOUNT.path} aria-current={path === ACCOUNT.path ? 'page' : undefined}>
              {person()?.name}
            </a>
            <button type="button" class="quiet" onClick={() => void signOut()}>
              Sign out
            </button>
          </>
        )}
      </header>
      <main ref={main} tabIndex={-1}>
        <Alert>{problem}</Alert>
        {isOpen && (may(least) ? <View key={path} /> : <NotForThem name={name} least={least} />)}
        {invitation !== null && <InvitationView token={invitation} onSignedIn={onSignedIn} />}
        {session.state === 'ended' && invitation === null && (
          <WaysIn notice={session.notice} hasSignedOut={session.hasSignedOut === true} onSignedIn={onSignedIn} />
        )}
        {session.state === 'unknown' && <Alert>{session.notice}</Alert>}
      </main>
    </>
  );
}

function NotForThem({ name, least }: Pick<ViewEntry, 'name' | 'least'>) {
  return (
    <>
      <h1>{name}</h1>
      <Empty title="This is not for your role">
        <p>It is for the role {least} and above. An owner can give you another.</p>
      </Empty>
    </>
  );
}

function focusStart(main: HTMLElement | null): void {
  const start = main?.querySelector<HTMLElement>('[autofocus]') ?? main?.querySelector<HTMLElement>('h1');
  if (start?.tagName === 'H1') start.tabIndex = -1;
  start?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** Links between views are followed without loading the page anew. */
function followLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const leaves = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0;
  if (link === null || leaves || ![...VIEWS, ACCOUNT].some(({ path }) => path === link.pathname)) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}

const root = document.getElementById('page');
if (root !== null) render(<App />, root);
