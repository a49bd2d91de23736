/** The form to sign in. */
import type { Api } from './api.js';
import { alertBox, h } from './dom.js';
import { field } from './dialog.js';
import { messageOf } from './wording.js';

/** @param notice why one has to sign in again, if so */
export function signInView(api: Api, notice: string | undefined, onSignedIn: () => void): HTMLElement {
  const problem = alertBox();
  if (notice !== undefined) problem.show(notice);
  const password = h('input', {
    type: 'password',
    name: 'password',
    autocomplete: 'current-password',
    required: true,
    autofocus: true,
    maxlength: 256,
  });
  const submit = h('button', { class: 'primary wide' }, 'Sign in');
  const form = h(
    'form',
    {
      class: 'card sign-in',
      submit: (event) => {
        event.preventDefault();
        problem.clear();
        submit.disabled = true;
        api
          .signIn(password.value, new URLSearchParams(location.hash.slice(1)).get('pass') ?? undefined)
          .then(onSignedIn)
          .catch((error: unknown) => {
            problem.show(messageOf(error));
            password.select();
          })
          .finally(() => (submit.disabled = false));
      },
    },
    h('img', { src: '/dashboard/assets/icon.svg', alt: '', width: 48, height: 48 }),
    h('h1', {}, 'Sign in to Parapet'),
    // Password managers file a password under a name.
    h('input', { type: 'text', name: 'username', value: 'admin', autocomplete: 'username', hidden: true }),
    field('Password', password),
    problem.element,
    submit,
  );
  return form;
}
