/** What a failing worker lets others know, with a runtime that is made to fail: everything where no text is, nothing of a text. */
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Classifier, Placed } from '../../src/inference/classifier.js';
import { createPooledClassifier } from '../../src/inference/workers/pooled-classifier.js';
import { builtUrl } from '../support/built.js';
import { testManifest } from '../support/models/manifest.js';
import { workerFile } from '../support/models/worker-file.js';

const PLANTED = 'xylophonequartz';

const builtModule = (name: string): string => JSON.stringify(builtUrl(`inference/workers/${name}.js`).href);

/** Of a runtime that judges every text harmless, but for those that begin with the name of a way to fail. */
const FAILING_WORKER = `
  import { workerData } from 'node:worker_threads';
  import { ModelOutputError } from ${builtModule('failure')};
  import { answerTasks, createWorkerLoop } from ${builtModule('worker-loop')};

  const quoting = (text) => Object.assign(new RangeError('cannot read ' + text), { code: 'ERR_LIBRARY' });
  const ways = {
    ours: () => { throw new ModelOutputError('the model gave no probability'); },
    foreign: (text) => { throw quoting(text); },
    value: (text) => { throw text; },
    later: (text) => new Promise(() => setImmediate(() => { throw quoting(text); })),
    unheard: (text) => new Promise(() => void Promise.reject(quoting(text))),
  };
  async function judge(text) {
    await ways[text.split(' ')[0]]?.(text);
    return { segment: 0, start: 0, end: text.length, tokens: 1, unreadTokens: 0, labels: Array(9).fill(0), sentiments: [0, 0, 1] };
  }
  function sequencesOf({ text }) {
    if (text.startsWith('runs')) throw quoting(text);
    return [text];
  }
  async function load() {
    if (workerData.loadProblem !== undefined) throw new Error(workerData.loadProblem);
    return { sequencesOf, judge: (batch) => Promise.all(batch.map(judge)) };
  }
  answerTasks(createWorkerLoop({ settings: workerData, load, tokensOf: () => 1 }));
`;

async function loadFailing(settings: { loadProblem?: string } = {}): Promise<{
  classifier: Classifier;
  problems: string[];
}> {
  const problems: string[] = [];
  const classifier = await createPooledClassifier<Placed, object>(
    {
      folder: 'models/planted',
      // Without files: workers check those that there are.
      manifest: testManifest({ files: {} }),
      threads: 1,
      maxQueue: 10,
      onWorkerProblem: (message) => problems.push(message),
    },
    { url: workerFile(FAILING_WORKER), settings, tokensOf: () => 1, inputOf: () => 'one' },
  );
  onTestFinished(() => classifier.close());
  return { classifier, problems };
}

/** Of a text with the planted word. @returns everything that the caller and the log get, causes and stacks included */
async function failWith(way: string): Promise<{ everything: string; problems: string[]; classifier: Classifier }> {
  const { classifier, problems } = await loadFailing();
  const error: unknown = await classifier.classify(`${way} ${PLANTED}`).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'ServiceError', code: 'model_not_ready' });
  return { everything: [inspect(error, { depth: Infinity }), ...problems].join('\n'), problems, classifier };
}

const LEFT_OUT = '(its message is left out: it could quote a text)';

describe('a failure in a worker', () => {
  it('while the model loads is told in full', async () => {
    await expect(loadFailing({ loadProblem: `No such file: ${PLANTED}.bin` })).rejects.toMatchObject({
      name: 'OperatorError',
      message: `The model in models/planted cannot be served: No such file: ${PLANTED}.bin.`,
    });
  });

  it('that is an error of ours is told in its words', async () => {
    const { problems } = await failWith('ours');
    expect(problems).toEqual(['a run of the model failed: the model gave no probability']);
  });

  it.each([
    ['while a text is cut', 'runs', `RangeError ERR_LIBRARY ${LEFT_OUT}`],
    ['while a text is judged', 'foreign', `RangeError ERR_LIBRARY ${LEFT_OUT}`],
    ['that is no Error', 'value', `string ${LEFT_OUT}`],
  ])('%s is told by its kind, without what it says of the text', async (_when, way, kind) => {
    const { everything, problems, classifier } = await failWith(way);
    expect(problems).toEqual([`a run of the model failed: ${kind}`]);
    expect(everything).not.toContain(PLANTED);
    await expect(classifier.classify('hello')).resolves.toBeDefined();
  });

  it.each([
    ['is thrown where nothing catches it', 'later'],
    ['is a rejection that nobody handles', 'unheard'],
  ])('that %s ends the thread, and is told by its kind', async (_what, way) => {
    const { everything, problems, classifier } = await failWith(way);
    const death = `a worker thread died during a run: RangeError ERR_LIBRARY ${LEFT_OUT}`;
    expect(problems).toEqual([death, death, 'a run was given up: its worker was lost twice']);
    expect(everything).not.toContain(PLANTED);
    await expect(classifier.classify('hello')).resolves.toBeDefined();
  });
});
