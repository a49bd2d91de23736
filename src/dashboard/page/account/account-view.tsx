/** One's own account: its password, and where it is signed in. */
import { useRef, useState } from 'preact/hooks';
import { LEAST_PASSWORD_CHARACTERS } from '../../../people/password-limits.js';
import { OWNER } from '../../../people/roles.js';
import type { SessionOnTheWire } from '../../people/people-schemas.js';
import { announce } from '../shared/announce.js';
import { changePassword } from '../shared/api.js';
import { Alert, Field } from '../shared/controls.js';
import { person, ROLE_WORDS } from '../shared/person.js';
import { SessionTable } from '../shared/session-table.js';
import { useAnswer } from '../shared/use-answer.js';
import { useQuestion } from '../shared/use-question.js';
import { messageOf } from '../shared/words.js';

export function AccountView() {
  const sessions = useAnswer<{ sessions: SessionOnTheWire[] }>('/account/sessions');
  const [problem, setProblem] = useState<string>();
  const { name = '', role = 'viewer' } = person() ?? {};
  return (
    <div class="stack">
      <h1>{name}</h1>
      <p class="hint">You are {ROLE_WORDS[role]}.</p>
      <section class="card" aria-labelledby="own-sessions">
        <h2 id="own-sessions">Where you are signed in</h2>
        <Alert>{problem ?? sessions.problem}</Alert>
        {sessions.answer && (
          <SessionTable
            sessions={sessions.answer.sessions}
            path="/account/sessions"
            onProblem={(error) => setProblem(messageOf(error))}
            refresh={sessions.refresh}
          />
        )}
      </section>
      {name === OWNER.name ? (
        <p class="hint">
          Yours is the password of the service: <code>npx parapet admin set-password</code> sets another.
        </p>
      ) : (
        <PasswordForm name={name} onChanged={sessions.refresh} />
      )}
    </div>
  );
}

function PasswordForm({ name, onChanged }: { readonly name: string; readonly onChanged: () => Promise<void> }) {
  const { problem, isAsking, ask } = useQuestion<undefined>();
  const form = useRef<HTMLFormElement>(null);
  const current = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const [isChanged, setIsChanged] = useState(false);
  function submit(event: Event): void {
    event.preventDefault();
    setIsChanged(false);
    void ask(async () => {
      await changePassword(current.current?.value ?? '', password.current?.value ?? '');
      form.current?.reset();
      setIsChanged(true);
      announce('Password changed');
      await onChanged();
      return undefined;
    });
  }
  return (
    <form ref={form} class="card stack" aria-labelledby="password-title" onSubmit={submit}>
      <h2 id="password-title">Password</h2>
      <input type="text" name="username" value={name} autocomplete="username" hidden />
      <div class="fields">
        <Field label="Present password">
          <input ref={current} type="password" autocomplete="current-password" required maxLength={256} />
        </Field>
        <Field label="New password" hint={`At least ${LEAST_PASSWORD_CHARACTERS} characters.`}>
          <input
            ref={password}
            type="password"
            autocomplete="new-password"
            required
            minLength={LEAST_PASSWORD_CHARACTERS}
            maxLength={256}
          />
        </Field>
      </div>
      <Alert>{problem}</Alert>
      <div class="actions">
        <small>{isChanged ? 'Changed. Your other sessions have ended.' : 'Ends your other sessions.'}</small>
        <button class="primary" disabled={isAsking}>
          Change password
        </button>
      </div>
    </form>
  );
}
