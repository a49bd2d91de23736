/** Promises of counts by project: of each for itself up to a bound, and of the rest together. */
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import {
  createProjectVerdicts,
  MOST_PROJECTS,
  OTHER_PROJECTS,
} from '../../../src/http/observability/project-metrics.js';
import { CATEGORIES } from '../../../src/moderation/categories.js';
import { HARMLESS, INSULT } from '../../support/fake-analyzer.js';

it('projects beyond the bound are counted together, whatever their number', async () => {
  const registry = new Registry();
  const projects = createProjectVerdicts(registry);
  for (let project = 0; project < MOST_PROJECTS + 50; project += 1) {
    projects.note(`p${project}`, INSULT);
    projects.note(`p${project}`, HARMLESS);
  }
  const text = await registry.metrics();
  const series = text.split('\n').filter((line) => line.startsWith('parapet_'));
  expect(series).toHaveLength((MOST_PROJECTS + 1) * (2 + CATEGORIES.length));
  expect(series).toContain(`parapet_project_verdicts_total{project="${OTHER_PROJECTS}",passed="false"} 50`);
  expect(series).toContain('parapet_project_verdicts_total{project="p0",passed="true"} 1');
  expect(series).toContain('parapet_project_categories_total{project="p99",category="insult"} 1');
  expect(series).toContain('parapet_project_categories_total{project="p99",category="blocked_term"} 0');
});
