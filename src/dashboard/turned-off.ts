/** What is said where the dashboard would be, while it has no password. Loads nothing of it. */
import type { AbsentPart } from '../http/problem.js';

export const DASHBOARD_OFF: AbsentPart = {
  path: '/dashboard',
  detail:
    'The dashboard is turned off. Set its password with "npx parapet admin set-password", then start the service anew.',
};
