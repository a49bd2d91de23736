/** The page: who is signed in, which view is shown, and the way between them. */
import { createApi } from './api.js';
import { closeDialogs } from './dialog.js';
import { h } from './dom.js';
import { keysView } from './keys-view.js';
import { overviewView } from './overview-view.js';
import { playgroundView } from './playground-view.js';
import { policyView } from './policy-view.js';
import { signInView } from './sign-in-view.js';
import { messageOf } from './wording.js';

const VIEWS = [
  { path: '/dashboard', name: 'Overview', show: overviewView },
  { path: '/dashboard/keys', name: 'Keys', show: keysView },
  { path: '/dashboard/policies', name: 'Policies', show: policyView },
  { path: '/dashboard/playground', name: 'Playground', show: playgroundView },
] as const;

const header = document.getElementById('header');
const main = document.getElementById('main');
const api = createApi(() => showSignIn('Your session has ended. Sign in again.'));
/** Of the view that was asked for last: a slow one must not replace it. */
let asked = 0;

function showSignIn(notice?: string): void {
  asked += 1;
  closeDialogs();
  if (header !== null) header.hidden = true;
  document.title = 'Sign in · Parapet';
  const view = signInView(api, notice, () => {
    // A pass of the command line has done its work.
    if (location.hash !== '') history.replaceState(null, '', location.pathname);
    void showView(true);
  });
  main?.replaceChildren(view);
  view.querySelector<HTMLElement>('input[type=password]')?.focus();
}

async function showView(moveFocus: boolean): Promise<void> {
  asked += 1;
  const mine = asked;
  const path = location.pathname.replace(/\/$/, '');
  const view = VIEWS.find((each) => each.path === path) ?? VIEWS[0];
  let content: HTMLElement;
  try {
    content = await view.show(api);
  } catch (error) {
    content = h('p', { class: 'alert', role: 'alert' }, messageOf(error));
  }
  if (mine !== asked) return;
  document.title = `${view.name} · Parapet`;
  header?.replaceChildren(...navigation(view.path));
  if (header !== null) header.hidden = false;
  main?.replaceChildren(content);
  if (!moveFocus) return;
  const start = content.querySelector<HTMLElement>('[autofocus]') ?? content.querySelector<HTMLElement>('h1');
  if (start?.tagName === 'H1') start.tabIndex = -1;
  start?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

function navigation(current: string): Node[] {
  return [
    h(
      'a',
      { class: 'brand', href: '/dashboard' },
      h('img', { src: '/dashboard/assets/icon.svg', alt: '', width: 24, height: 24 }),
      'Parapet',
    ),
    h(
      'nav',
      { 'aria-label': 'Views' },
      ...VIEWS.map(({ path, name }) =>
        h('a', { href: path, 'aria-current': path === current ? 'page' : undefined }, name),
      ),
    ),
    h('button', { type: 'button', class: 'quiet', click: () => void signOut() }, 'Sign out'),
  ];
}

async function signOut(): Promise<void> {
  try {
    await api.send('DELETE', '/session');
    showSignIn();
  } catch (error) {
    // A session that had ended anyway has brought the form already.
    if (header?.hidden === false) main?.prepend(h('p', { class: 'alert', role: 'alert' }, messageOf(error)));
  }
}

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const leaves = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0;
  if (link === null || leaves || !VIEWS.some(({ path }) => path === link.pathname)) return;
  event.preventDefault();
  const address = `${link.pathname}${link.search}`;
  if (address !== `${location.pathname}${location.search}`) history.pushState(null, '', address);
  void showView(true);
});
addEventListener('popstate', () => {
  if (header?.hidden === false) void showView(true);
});

try {
  if (await api.resume()) await showView(false);
  else showSignIn();
} catch (error) {
  main?.replaceChildren(h('p', { class: 'alert', role: 'alert' }, messageOf(error)));
}
