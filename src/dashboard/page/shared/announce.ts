/** Read out by screen readers, seen by nobody. */
export function announce(message: string): void {
  document.getElementById('announcer')?.replaceChildren(message);
}
