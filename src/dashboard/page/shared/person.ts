/** Who is signed in, and what the page offers them. It only spares them refusals: the server decides. */
import { isAtLeast, type Role } from '../../../people/roles.js';

export interface Person {
  readonly name: string;
  readonly role: Role;
}

let present: Person | undefined;

export function setPerson(person: Person | undefined): void {
  present = person;
}

/** Undefined where nobody is signed in. */
export const person = (): Person | undefined => present;

export const may = (least: Role): boolean => present !== undefined && isAtLeast(present.role, least);

export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  viewer: 'viewer: figures, keys and policies, no texts',
  reviewer: 'reviewer: reads and judges texts too',
  editor: 'editor: changes projects, keys and policies too',
  owner: 'owner: decides who else there is',
};
