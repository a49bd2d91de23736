/** The page: who is signed in, which view is shown, and the frame around it. */
import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { DecisionsView } from './decisions/decisions-view.js';
import icon from './icon.svg';
import { KeysView } from './keys/keys-view.js';
import { OverviewView } from './overview/overview-view.js';
import { PlaygroundView } from './playground/playground-view.js';
import { forgetTriedTexts } from './playground/tried-texts.js';
import { PoliciesView } from './policies/policies-view.js';
import { ReviewView } from './review/review-view.js';
import { onSessionEnd, resume, send } from './shared/api.js';
import { Alert } from './shared/controls.js';
import { change, go, usePlace } from './shared/router.js';
import { messageOf } from './shared/words.js';
import { WaysIn } from './sign-in/ways-in.js';
import './style.css';

const VIEWS = [
  { path: '/dashboard', name: 'Overview', View: OverviewView },
  { path: '/dashboard/decisions', name: 'Decisions', View: DecisionsView },
  { path: '/dashboard/review', name: 'Review', View: ReviewView },
  { path: '/dashboard/keys', name: 'Keys', View: KeysView },
  { path: '/dashboard/policies', name: 'Policies', View: PoliciesView },
  { path: '/dashboard/playground', name: 'Playground', View: PlaygroundView },
] as const;

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
  const { path, name, View } = VIEWS.find((each) => each.path === place.path) ?? VIEWS[0];

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
    // A pass of the command line has done its work, and a refusal of another way counts no more.
    change({ fragment: { pass: undefined, refused: undefined } }, true);
    setSession({ state: 'open' });
  }

  async function signOut(): Promise<void> {
    try {
      await send('DELETE', '/session');
      forgetTriedTexts();
      change({ fragment: { text: undefined } }, true);
      setSession({ state: 'ended', hasSignedOut: true });
    } catch (error) {
      setProblem(messageOf(error));
    }
  }

  const isOpen = session.state === 'open';
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
              {VIEWS.map((view) => (
                <a key={view.path} href={view.path} aria-current={view.path === path ? 'page' : undefined}>
                  {view.name}
                </a>
              ))}
            </nav>
            <button type="button" class="quiet" onClick={() => void signOut()}>
              Sign out
            </button>
          </>
        )}
      </header>
      <main ref={main} tabIndex={-1}>
        <Alert>{problem}</Alert>
        {isOpen && <View key={path} />}
        {session.state === 'ended' && (
          <WaysIn notice={session.notice} hasSignedOut={session.hasSignedOut === true} onSignedIn={onSignedIn} />
        )}
        {session.state === 'unknown' && <Alert>{session.notice}</Alert>}
      </main>
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
  if (link === null || leaves || !VIEWS.some(({ path }) => path === link.pathname)) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}

const root = document.getElementById('page');
if (root !== null) render(<App />, root);
