/** What became of each project's texts. */
import { Counter, type Registry } from 'prom-client';
import { CATEGORIES } from '../../moderation/categories.js';
import type { Verdict } from '../../moderation/verdict.js';

/** As many projects get series of their own, those that come first. Each has two of verdicts and one a category. */
export const MOST_PROJECTS = 100;
/** Of all further projects, and of one that is called so. */
export const OTHER_PROJECTS = '(other)';

/** What became of each project's texts, under its own policy: how often they passed, and for what they did not. */
interface ProjectVerdicts {
  note(project: string, verdict: Verdict): void;
}

export function createProjectVerdicts(registry: Registry): ProjectVerdicts {
  const registers = [registry];
  const verdicts = new Counter({
    name: 'parapet_project_verdicts_total',
    help: `Verdicts by project and outcome. Beyond ${MOST_PROJECTS} projects the rest are counted as ${OTHER_PROJECTS}.`,
    labelNames: ['project', 'passed'],
    registers,
  });
  const categories = new Counter({
    name: 'parapet_project_categories_total',
    help: 'Detected categories by project, as its policy names them.',
    labelNames: ['project', 'category'],
    registers,
  });
  const known = new Set<string>();

  function labelOf(project: string): string {
    if (known.has(project)) return project;
    const label = known.size < MOST_PROJECTS ? project : OTHER_PROJECTS;
    if (known.has(label)) return label;
    known.add(label);
    // Prometheus sees an increase only between two scrapes: a series that begins at 1 hides the first event.
    for (const passed of ['true', 'false']) verdicts.inc({ project: label, passed }, 0);
    for (const category of CATEGORIES) categories.inc({ project: label, category }, 0);
    return label;
  }

  return {
    note(project, verdict) {
      const label = labelOf(project);
      verdicts.inc({ project: label, passed: String(verdict.passed) });
      for (const category of verdict.categories) categories.inc({ project: label, category });
    },
  };
}
