/** Judges from PyPI, in a process of the Python that the operator names: a text a line in, a number a line out. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { OperatorError } from 'parapet/engine';
import { z } from 'zod';
import type { Judge } from '../judges/judge.js';
import { createPeerJudge } from './peer-judge.js';

/** The body of a function that makes a function from a text to a probability, or to whether it is profane; as each documents it. */
export const PYTHON_PEERS: Readonly<Record<string, string>> = {
  'better-profanity': `
    from better_profanity import profanity
    return profanity.contains_profanity`,
  'alt-profanity-check': `
    from profanity_check import predict_prob
    return lambda text: predict_prob([text])[0]`,
  'toxic-comment-classifier': `
    from toxic_classifier.model import ToxicCommentClassifier
    model = ToxicCommentClassifier()
    return lambda text: model.classify(text)["toxic"]`,
};

/** What packages print goes to standard error, which nobody reads. */
const programOf = (name: string, load: string): string => `
import importlib.metadata, json, os, sys
out = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
def say(value):
    print(json.dumps(value), file=out, flush=True)
def load():${load}
try:
    version = importlib.metadata.version(${JSON.stringify(name)})
    judge = load()
except ImportError as error:
    say({"missing": str(error)})
    sys.exit(0)
say({"version": version})
for line in sys.stdin:
    say(float(judge(json.loads(line))))
`;

const greeting = z.union([z.object({ version: z.string() }), z.object({ missing: z.string() })]);

/** So that the process has the next text at hand when it is done with one. */
const CONCURRENCY = 4;

/** @throws OperatorError where the Python does not run or lacks the package */
export async function openPythonPeer(name: string, python: string): Promise<Judge> {
  const child = spawn(python, ['-c', programOf(name, PYTHON_PEERS[name] ?? '')], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, PYTHONIOENCODING: 'utf-8' },
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const failed = new Promise<never>((_, reject) => {
    child.on('error', (cause) => {
      reject(new OperatorError(`--peer ${name}: ${python} does not run; name another with --python`, { cause }));
    });
  });
  // A text that cannot be written any more gets no answer either.
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async (): Promise<unknown> => {
    const next: IteratorResult<string, unknown> = await lines.next();
    if (next.done !== true) return JSON.parse(next.value);
    throw new OperatorError(`--peer ${name}: the process of ${python} ended before it had answered`);
  };
  const first = greeting.parse(await Promise.race([read(), failed]));
  if ('missing' in first) {
    throw new OperatorError(`--peer ${name}: ${python} lacks it (${first.missing}): pip install ${name}, or --python`);
  }
  return createPeerJudge({
    name,
    version: first.version,
    concurrency: CONCURRENCY,
    async ask(text) {
      child.stdin.write(`${JSON.stringify(text)}\n`);
      return z.number().parse(await read());
    },
    async close() {
      child.stdin.end();
      child.kill();
      await closed;
    },
  });
}
