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
  const name = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  function submit(event: Event): void {
    event.preventDefault();
    void ask(async () => {
      try {
        const given = name.current?.value.trim() ?? '';
        await signIn({
          name: given === '' ? undefined : given,
          password: password.current?.value ?? '',
          pass: fragment.get('pass') ?? undefined,
        });
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
      <Field label="Name" hint="Empty for the owner.">
        <input ref={name} name="username" autocomplete="username" maxLength={200} autofocus />
      </Field>
      <Field label="Password">
        <input
          ref={password}
          type="password"
          name="password"
          autocomplete="current-password"
          required
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
