/** The form to sign in with a password. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import icon from '../icon.svg';
import { signIn } from '../shared/api.js';
import { Alert, Field } from '../shared/controls.js';
import { usePlace } from '../shared/router.js';
import { useQuestion } from '../shared/use-question.js';

interface SignInViewProps {
  /** Why one has to sign in again, if so. */
  readonly notice: string | undefined;
  readonly onSignedIn: () => void;
  /** Other ways. */
  readonly children: ComponentChildren;
}

export function SignInView({ notice, onSignedIn, children }: SignInViewProps) {
  const { fragment } = usePlace();
  const { problem, isAsking, ask } = useQuestion<undefined>();
  const password = useRef<HTMLInputElement>(null);
  function submit(event: Event): void {
    event.preventDefault();
    void ask(async () => {
      try {
        await signIn(password.current?.value ?? '', fragment.get('pass') ?? undefined);
      } catch (error) {
        password.current?.select();
        throw error;
      }
      onSignedIn();
      return undefined;
    });
  }
  return (
    <form class="card sign-in" onSubmit={submit}>
      <img src={icon} alt="" width={48} height={48} />
      <h1>Sign in to Parapet</h1>
      {/* Password managers file a password under a name. */}
      <input type="text" name="username" value="admin" autocomplete="username" hidden />
      <Field label="Password">
        <input
          ref={password}
          type="password"
          name="password"
          autocomplete="current-password"
          required
          autofocus
          maxLength={256}
        />
      </Field>
      <Alert>{problem ?? notice}</Alert>
      <button class="primary wide" disabled={isAsking}>
        Sign in
      </button>
      {children}
    </form>
  );
}
