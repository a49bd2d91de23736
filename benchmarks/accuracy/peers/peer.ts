/** Which other judges of texts can be measured on the same rows, by name. None is part of the product: the operator installs them. */
import type { Judge } from '../judges/judge.js';
import { NPM_PEERS, openNpmPeer } from './npm-peers.js';
import { openPythonPeer, PYTHON_PEERS } from './python-peers.js';

export const PEER_NAMES = [...Object.keys(NPM_PEERS), ...Object.keys(PYTHON_PEERS)];

export interface PeerPlace {
  /** The folder that packages of npm are found from. */
  readonly folder: string;
  /** The command of the Python that has the packages of PyPI. */
  readonly python: string;
}

/** @throws OperatorError where it is not installed */
export async function openPeer(name: string, { folder, python }: PeerPlace): Promise<Judge> {
  return Object.hasOwn(PYTHON_PEERS, name) ? openPythonPeer(name, python) : openNpmPeer(name, folder);
}
