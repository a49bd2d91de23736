/** Secrets that are shown once: of invitations and of admin tokens. Each begins so that whoever scans for secrets can know it. */
import { hash } from 'node:crypto';
import { randomBase62 } from '../keys/key-format.js';

const PREFIXES = { invitation: 'parapet_invite_', token: 'parapet_admin_' } as const;
type Kind = keyof typeof PREFIXES;

/** 256 bits. */
const RANDOM_LENGTH = 43;
const SHAPE = new RegExp(`^[0-9A-Za-z]{${RANDOM_LENGTH}}$`);
/** Of the random part. */
const SHOWN = 4;

export interface NewSecret {
  /** Shown once, kept nowhere. */
  readonly secret: string;
  /** What is kept: as for API keys, nobody goes through 2^256 of them. */
  readonly hash: string;
  /** To recognise it in a list. */
  readonly start: string;
}

export function createSecret(kind: Kind): NewSecret {
  const secret = PREFIXES[kind] + randomBase62(RANDOM_LENGTH);
  return { secret, hash: hash('sha256', secret, 'hex'), start: secret.slice(0, PREFIXES[kind].length + SHOWN) };
}

/** Whether it can only be meant as one, whole or mistyped. */
export function isMeantAs(kind: Kind, presented: string): boolean {
  return presented.startsWith(PREFIXES[kind]);
}

/** @returns undefined for what cannot be one */
export function hashOfSecret(kind: Kind, presented: string): string | undefined {
  const prefix = PREFIXES[kind];
  const isOne = isMeantAs(kind, presented) && SHAPE.test(presented.slice(prefix.length));
  return isOne ? hash('sha256', presented, 'hex') : undefined;
}
