/** How far a thread gives way to the others of the process. */
import { getPriority, setPriority } from 'node:os';
import process from 'node:process';

const MOST_NICE = 19;

/**
 * To be called by the thread itself. On Linux, threads of one process can differ in priority: the HTTP thread gets a core at once although all of them
 * compute. Elsewhere this would hold up the whole process.
 *
 * @param niceness added to the thread's nice value
 */
export function giveWay(niceness: number): void {
  if (process.platform === 'linux') setPriority(Math.min(MOST_NICE, getPriority() + niceness));
}
