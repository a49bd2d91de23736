/** The file of projects and their keys: its shape, and how that of version 1 becomes it. Knows nothing of what a change means. */
import { z } from 'zod';
import {
  keyRecordSchema,
  labelSchema,
  projectRecordSchema,
  type KeyRecord,
  type ProjectRecord,
} from '../keys/key-record.js';
import { newProject } from '../keys/projects.js';
import { JsonFile } from './json-file.js';

const VERSION = 2;

/** Loose, here and in each record: what a newer release of this version added survives. */
const schema = z
  .looseObject({
    version: z.literal(VERSION),
    projects: z.array(projectRecordSchema),
    keys: z.array(keyRecordSchema),
  })
  .superRefine(({ projects, keys }, context) => {
    const refuse = (member: 'projects' | 'keys', message: string) =>
      context.addIssue({ code: 'custom', path: [member], message });
    if (!allDiffer(projects.map(({ id }) => id))) refuse('projects', 'an id occurs twice');
    if (!allDiffer(projects.map(({ name }) => name))) refuse('projects', 'a name occurs twice');
    if (!allDiffer(keys.map(({ id }) => id))) refuse('keys', 'an id occurs twice');
    // Two records for one key could disagree on whether it is revoked.
    if (!allDiffer(keys.map(({ hash }) => hash))) refuse('keys', 'a hash occurs twice');
    const known = new Set(projects.map(({ id }) => id));
    if (keys.some(({ projectId }) => !known.has(projectId))) refuse('keys', 'one is of a project that is not there');
  });
export type KeyFileContents = Readonly<z.output<typeof schema>>;

/** @throws ZodError where they contradict each other */
export function keyFileContents(projects: readonly ProjectRecord[], keys: readonly KeyRecord[]): KeyFileContents {
  return schema.parse({ version: VERSION, projects, keys });
}

export function openKeyFile(path: string): JsonFile<KeyFileContents> {
  return new JsonFile<KeyFileContents>({
    path,
    name: 'key file',
    version: VERSION,
    empty: { version: VERSION, projects: [], keys: [] },
    parse: (content) => schema.parse(isOfVersion1(content) ? upgraded(content) : content),
    remedy: 'It was left as it is: restore it from a backup, or move it away and create new keys.',
    indent: 2,
  });
}

function allDiffer(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}

function isOfVersion1(content: unknown): boolean {
  return z.looseObject({ version: z.literal(1) }).safeParse(content).success;
}

/** Keys named their project, and only projects that somebody had changed were kept. */
const version1Schema = z.looseObject({
  version: z.literal(1),
  projects: z.array(projectRecordSchema).optional(),
  keys: z.array(keyRecordSchema.omit({ projectId: true }).extend({ project: labelSchema })),
});

/** A project that only keys name begins with the first of them. */
function upgraded(content: unknown): unknown {
  const { projects: kept = [], keys, ...rest } = version1Schema.parse(content);
  const projects = new Map(kept.map((project) => [project.name, project]));
  const projectOf = (name: string, createdAt: string): ProjectRecord => {
    const project = projects.get(name) ?? newProject([...projects.values()], name, createdAt);
    projects.set(name, project);
    return project;
  };
  const upgradedKeys = keys.map(({ project, ...key }) => ({ ...key, projectId: projectOf(project, key.createdAt).id }));
  return { ...rest, version: VERSION, projects: [...projects.values()], keys: upgradedKeys };
}
