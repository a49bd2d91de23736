/** The address of the playground with a text in it, behind the `#`, where no server sees it. */
import { addressOf } from '../shared/router.js';

export function playgroundLink(projectId: string, text: string): string {
  const query = new URLSearchParams({ project: projectId });
  return addressOf('/dashboard/playground', query, new URLSearchParams({ text }));
}
