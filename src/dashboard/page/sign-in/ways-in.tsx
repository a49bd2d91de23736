/** The ways to sign in that there are here: the form of the password, a provider, and a proxy that says who somebody is. */
import { useEffect, useState } from 'preact/hooks';
import type { SignInWays } from '../../routes/sign-in-schemas.js';
import { isRefusal, REFUSALS } from '../../session/refusals.js';
import icon from '../icon.svg';
import { signInByProxy, waysIn } from '../shared/api.js';
import { Alert } from '../shared/controls.js';
import { usePlace } from '../shared/router.js';
import { messageOf } from '../shared/words.js';
import { SignInView } from './sign-in-view.js';

interface WaysInProps {
  /** Why one has to sign in again, if so. */
  readonly notice: string | undefined;
  readonly hasSignedOut: boolean;
  readonly onSignedIn: () => void;
}

const PASSWORD_ALONE: SignInWays = { password: true, oidc: null, header: null, signOutUrl: null };

export function WaysIn({ notice, hasSignedOut, onSignedIn }: WaysInProps) {
  const { fragment } = usePlace();
  const [ways, setWays] = useState<SignInWays>();
  const [problem, setProblem] = useState<string>();

  async function enter(): Promise<boolean> {
    try {
      await signInByProxy();
      onSignedIn();
      return true;
    } catch (error) {
      setProblem(messageOf(error));
      return false;
    }
  }

  // Whoever was signed in on this page asks for it themselves, and a proxy that names people now and then keeps nobody going in circles.
  const isFirst = !hasSignedOut && notice === undefined;
  async function look(): Promise<void> {
    const found = await waysIn().catch(() => PASSWORD_ALONE);
    if (hasSignedOut && found.signOutUrl !== null) location.assign(found.signOutUrl);
    else if (!isFirst || found.header === null || !(await enter())) setWays(found);
  }

  useEffect(() => void look(), []);
  useEffect(() => document.querySelector<HTMLElement>('.sign-in [autofocus]')?.focus(), [ways]);

  if (ways === undefined) return null;
  const refused = fragment.get('refused') ?? '';
  const told = problem ?? (isRefusal(refused) ? REFUSALS[refused] : notice);
  const looks = ways.password ? 'button wide' : 'button wide primary';
  const others = (
    <>
      {ways.oidc !== null && (
        <a
          class={looks}
          href={`${ways.oidc.address}?to=${encodeURIComponent(location.pathname + location.search)}`}
          autofocus={!ways.password}
        >
          Sign in with {ways.oidc.name}
        </a>
      )}
      {ways.header !== null && (
        <button type="button" class={looks} onClick={() => void enter()}>
          Go on as {ways.header}
        </button>
      )}
    </>
  );
  if (ways.password) {
    return (
      <SignInView notice={told} onSignedIn={onSignedIn}>
        {others}
      </SignInView>
    );
  }
  return (
    <div class="card sign-in">
      <img src={icon} alt="" width={48} height={48} />
      <h1>Sign in to Parapet</h1>
      <Alert>{told}</Alert>
      {others}
    </div>
  );
}
