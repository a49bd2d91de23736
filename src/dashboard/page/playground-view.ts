/** A place to try texts: what the service says of one, and what it saw. */
import type { PlaygroundResponse } from '../admin-schemas.js';
import type { Api } from './api.js';
import { alertBox, announce, copyButton, h } from './dom.js';
import { verdictParts } from './verdict.js';
import { messageOf } from './wording.js';

const EXAMPLES: readonly (readonly [string, string])[] = [
  ['Kind', 'Thank you so much, this was lovely. You made my whole week!'],
  ['Rude', 'The talk was fine until you opened your mouth. You are a stupid idiot, shut up.'],
  ['Disguised', 'y0u are such a st*pid 1d1ot, n0b0dy l1kes you'],
  ['Threat', 'I know where you live. I will find you and hurt you.'],
  ['Spam', 'Congratulations!!! You won a FREE iPhone. Click here to claim your prize now: win-big.example'],
  ['Harmless, alarming words', 'This workout is killing me, but the new shooter game is the bomb.'],
];

export function playgroundView(api: Api): Promise<HTMLElement> {
  const problem = alertBox();
  const result = h('div', { class: 'result', 'aria-live': 'polite' }, placeholder());
  const submit = h('button', { class: 'primary' }, 'Judge ', h('kbd', {}, 'Ctrl ⏎'));
  const text = h('textarea', {
    rows: 7,
    dir: 'auto',
    required: true,
    maxlength: 20_000,
    autofocus: true,
    spellcheck: 'false',
    placeholder: 'Type or paste a text',
    keydown: (event) => {
      if (!(event instanceof KeyboardEvent) || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      form.requestSubmit();
    },
  });
  let latest = 0;

  async function judge(): Promise<void> {
    latest += 1;
    const mine = latest;
    const content = text.value;
    problem.clear();
    result.setAttribute('aria-busy', 'true');
    try {
      const answer = await api.send<PlaygroundResponse>('POST', '/playground', { content });
      if (mine !== latest) return;
      result.replaceChildren(...verdictParts(content, answer), ...code(content, answer));
      announce(answer.analysis.description);
    } catch (error) {
      if (mine !== latest) return;
      problem.show(messageOf(error));
      // What stands there is of an earlier text.
      result.replaceChildren(placeholder());
    } finally {
      if (mine === latest) result.removeAttribute('aria-busy');
    }
  }

  const form = h(
    'form',
    {
      class: 'card stack',
      submit: (event) => {
        event.preventDefault();
        void judge();
      },
    },
    h('label', { class: 'field' }, h('span', {}, 'Text'), text),
    h(
      'div',
      { class: 'actions' },
      h('small', {}, 'Judged as your API would. Kept nowhere, counted for no key.'),
      submit,
    ),
    problem.element,
    h(
      'div',
      { class: 'examples', role: 'group', 'aria-label': 'Examples' },
      ...EXAMPLES.map(([name, example]) =>
        h(
          'button',
          {
            type: 'button',
            class: 'chip',
            click: () => {
              text.value = example;
              void judge();
            },
          },
          name,
        ),
      ),
    ),
  );
  return Promise.resolve(
    h('div', { class: 'stack' }, h('h1', {}, 'Playground'), h('div', { class: 'halves' }, form, result)),
  );
}

function placeholder(): HTMLElement {
  return h(
    'div',
    { class: 'card empty' },
    h('h2', {}, 'No verdict yet'),
    h('p', {}, 'Write a text, or choose an example, to see what the model sees.'),
  );
}

function code(content: string, { analysis }: PlaygroundResponse): Node[] {
  const json = JSON.stringify(analysis, null, 2);
  const body = JSON.stringify({ content }).replaceAll("'", String.raw`'\''`);
  const curl = [
    `curl -s '${location.origin}/v1/analyze?details=true' \\`,
    `  -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n');
  return [snippet('JSON', json), snippet('curl', curl)];
}

function snippet(title: string, text: string): HTMLElement {
  return h(
    'details',
    { class: 'card snippet' },
    h('summary', {}, title),
    copyButton(() => text, `Copy ${title}`),
    h('pre', { tabindex: 0, role: 'region', 'aria-label': title }, text),
  );
}
