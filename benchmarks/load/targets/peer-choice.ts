/** Which peers in Python can be measured here, each deployed in the way that uses this machine best: none is beaten by how it was set up. */
import type { LoadOptions } from '../arguments.js';
import { saturating, SUBJECTS } from '../loads.js';
import type { Measurer } from '../measurer.js';
import { readPackages } from './python-packages.js';
import { deploymentsFor, describeDeployment, REQUIREMENTS, startPeer, type PeerOptions } from './python-peers.js';
import type { Servers } from './server-process.js';
import { stopTarget, type Target } from './target.js';

export interface ChosenPeer {
  readonly target: Target;
  /** What was tried and what it gave. */
  readonly description: string;
}

export interface PeerDeps {
  readonly servers: Servers;
  /** Of trials: what it keeps is not shown. */
  readonly measurer: Measurer;
  readonly cores: number;
  readonly modelFolder: string;
  readonly maxTokens: number;
}

export interface Peers {
  readonly peers: readonly ChosenPeer[];
  /** What keeps peers from being measured, or makes their figures other than those of another run. */
  readonly notes: readonly string[];
}

const INSTALL = 'pip install -r benchmarks/load/peers/requirements.txt';

export async function startPeers(wanted: LoadOptions['peers'], deps: PeerDeps): Promise<Peers> {
  if (wanted === undefined) return { peers: [], notes: ['Peers in Python were not asked for (--peers).'] };
  const { python, checkpoint } = wanted;
  const skipped = (why: string): Peers => ({ peers: [], notes: [`Peers in Python were skipped: ${why}`] });
  const packages = await readPackages(python, REQUIREMENTS);
  if (typeof packages === 'string') return skipped(`${packages}. Give another with --python.`);
  if (packages.missing.length > 0) return skipped(`${python} lacks ${packages.missing.join(', ')}. ${INSTALL}`);
  const { modelFolder, maxTokens } = deps;
  const shared = { python, modelFolder, maxTokens };
  const peers = [
    await choose({ ...shared, name: SUBJECTS.torch, module: 'fastapi_torch', checkpoint }, deps),
    await choose({ ...shared, name: SUBJECTS.onnx, module: 'fastapi_onnx' }, deps),
  ];
  const weights =
    checkpoint === undefined
      ? 'random weights of the same shape: they change what comes out and nothing of the arithmetic (--checkpoint loads others)'
      : `the weights of ${checkpoint}`;
  const notes = [`${SUBJECTS.torch} runs with ${weights}.`];
  if (packages.different.length > 0) notes.push(`Not the pinned versions: ${packages.different.join(', ')}.`);
  return { peers, notes };
}

async function choose(options: PeerOptions, { servers, measurer, cores }: PeerDeps): Promise<ChosenPeer> {
  const trials: { readonly text: string; readonly perSecond: number; readonly start: () => Promise<Target> }[] = [];
  for (const deployment of deploymentsFor(cores)) {
    const start = (): Promise<Target> => startPeer(servers, options, deployment);
    const target = await start();
    const text = describeDeployment(deployment);
    const perSecond = await measurer.measure(target, [{ load: text, stream: saturating() }]);
    await stopTarget(target);
    trials.push({ text, perSecond, start });
  }
  const [best, ...others] = trials.sort((one, other) => other.perSecond - one.perSecond);
  if (best === undefined) throw new Error('there is no way to deploy a peer');
  const worded = others.map(({ text, perSecond }) => `${text}: ${perSecond.toFixed(0)}/s`);
  return {
    target: await best.start(),
    description: `${best.text} (${best.perSecond.toFixed(0)}/s in a trial; ${worded.join('; ')})`,
  };
}
