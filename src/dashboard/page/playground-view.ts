/** A place to try texts: what the service, or the policy of a project, says of one, and what it saw. */
import type { PlaygroundResponse, Project } from '../routes/admin-schemas.js';
import type { Api } from './api.js';
import { alertBox, announce, copyButton, h } from './dom.js';
import { openTrial, type Trial } from './playground-policy.js';
import { projectChoice } from './project-choice.js';
import { labelBars, verdictParts } from './verdict.js';
import { messageOf } from './wording.js';

const EXAMPLES: readonly (readonly [string, string])[] = [
  ['Kind', 'Thank you so much, this was lovely. You made my whole week!'],
  ['Rude', 'The talk was fine until you opened your mouth. You are a stupid idiot, shut up.'],
  ['Disguised', 'y0u are such a st*pid 1d1ot, n0b0dy l1kes you'],
  ['Threat', 'I know where you live. I will find you and hurt you.'],
  ['Spam', 'Congratulations!!! You won a FREE iPhone. Click here to claim your prize now: win-big.example'],
  ['Harmless, alarming words', 'This workout is killing me, but the new shooter game is the bomb.'],
];

export async function playgroundView(api: Api): Promise<HTMLElement> {
  const { projects } = await api.get<{ projects: Project[] }>('/projects');
  const problem = alertBox();
  const verdict = h('div', { class: 'stack', 'aria-live': 'polite' }, placeholder());
  // Stays while a text is judged anew: a slider in it has the focus.
  const labels = h('div', {});
  const snippets = h('div', { class: 'stack' });
  const result = h('div', { class: 'result' }, verdict, labels, snippets);
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
  let project: Project | undefined;
  let trial: Trial | undefined;
  const judgedAs = projectChoice(
    projects.filter(({ archivedAt }) => archivedAt === null),
    (chosen) => {
      project = chosen;
      trial = undefined;
      judgeAgain();
    },
    'Judge as',
  );
  judgedAs.show(undefined, 'the settings of the service');

  function judgeAgain(): void {
    if (text.value !== '') void judge();
  }

  async function judge(): Promise<void> {
    latest += 1;
    const mine = latest;
    const content = text.value;
    problem.clear();
    result.setAttribute('aria-busy', 'true');
    try {
      const opened = trial ?? (project && (await openTrial(api, project, judgeAgain)));
      if (mine !== latest) return;
      trial = opened;
      const answer = await api.send<PlaygroundResponse>('POST', '/playground', { content, ...trial?.asked() });
      if (mine !== latest) return;
      verdict.replaceChildren(...verdictParts(content, answer));
      trial?.showText(answer.analysis.details?.labels);
      const shown = trial?.element ?? labelBars(answer);
      if (shown !== undefined && shown.parentElement !== labels) labels.replaceChildren(shown);
      snippets.replaceChildren(...code(content, answer));
      announce(answer.analysis.description);
    } catch (error) {
      if (mine === latest) showProblem(error);
    } finally {
      if (mine === latest) result.removeAttribute('aria-busy');
    }
  }

  /** What stands there is of an earlier text, or of another policy. */
  function showProblem(error: unknown): void {
    problem.show(messageOf(error));
    verdict.replaceChildren(placeholder());
    labels.replaceChildren();
    snippets.replaceChildren();
  }

  const form = h(
    'form',
    {
      class: 'card stack stays',
      submit: (event) => {
        event.preventDefault();
        void judge();
      },
    },
    judgedAs.element,
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
  return h('div', { class: 'stack' }, h('h1', {}, 'Playground'), h('div', { class: 'halves' }, form, result));
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
