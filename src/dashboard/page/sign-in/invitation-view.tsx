/** What the link of an invitation opens: somebody chooses a password, and is signed in. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { LEAST_PASSWORD_CHARACTERS } from '../../../people/password-limits.js';
import type { OpenedInvitation } from '../../people/people-schemas.js';
import icon from '../icon.svg';
import { acceptInvitation, openInvitation } from '../shared/api.js';
import { Alert, Field } from '../shared/controls.js';
import { useQuestion } from '../shared/use-question.js';
import { messageOf } from '../shared/words.js';

interface InvitationViewProps {
  readonly token: string;
  readonly onSignedIn: () => void;
}

export function InvitationView({ token, onSignedIn }: InvitationViewProps) {
  const [invitation, setInvitation] = useState<OpenedInvitation>();
  const [refusal, setRefusal] = useState<string>();
  const { problem, isAsking, ask } = useQuestion<undefined>();
  const password = useRef<HTMLInputElement>(null);
  useEffect(() => {
    openInvitation(token)
      .then(setInvitation)
      .catch((error: unknown) => setRefusal(messageOf(error)));
  }, [token]);
  function submit(event: Event): void {
    event.preventDefault();
    void ask(async () => {
      await acceptInvitation(token, password.current?.value ?? '');
      onSignedIn();
      return undefined;
    });
  }
  return (
    <form class="card sign-in" onSubmit={submit}>
      <img src={icon} alt="" width={48} height={48} />
      <h1>{invitation?.resetsPassword === true ? 'Choose a new password' : 'Welcome to Parapet'}</h1>
      <Alert>{refusal}</Alert>
      {refusal !== undefined && (
        <a class="button wide" href="/dashboard">
          Sign in
        </a>
      )}
      {invitation && (
        <>
          <p>
            You sign in as <strong>{invitation.name}</strong>, {invitation.role}.
          </p>
          <input type="text" name="username" value={invitation.name} autocomplete="username" hidden />
          <Field
            label="New password"
            hint={`At least ${LEAST_PASSWORD_CHARACTERS} characters. A sentence is a good one.`}
          >
            <input
              ref={password}
              type="password"
              autocomplete="new-password"
              required
              autofocus
              minLength={LEAST_PASSWORD_CHARACTERS}
              maxLength={256}
            />
          </Field>
          <Alert>{problem}</Alert>
          <button class="primary wide" disabled={isAsking}>
            Set the password and sign in
          </button>
        </>
      )}
    </form>
  );
}
