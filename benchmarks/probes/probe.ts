/** What a probe is: a text with the verdict that a careful moderator would give. */
import { z } from 'zod';

const flag = z.union([z.literal(0), z.literal(1)]).transform((value) => value === 1);

const probeSchema = z
  .strictObject({
    text: z.string().min(1),
    /** Whether a comment section for everybody should block it. */
    toxic: flag.optional(),
    /** In place of `toxic`, where spam is what is asked. */
    spam: flag.optional(),
    /** What the text is an example of. */
    kind: z.string().optional(),
    /** How many of three language models, which knew no verdict, would remove it at once, without asking for its context. */
    severe: z.int().min(0).max(3).optional(),
    /** Which of several lists, each by one author, the text is of. */
    list: z.int().min(1).optional(),
    /** Nothing is ever chosen by texts that are held out. */
    split: z.enum(['development', 'held_out']).optional(),
    /** The identity that the text speaks of. */
    group: z.string().optional(),
  })
  .refine(({ toxic, spam }) => (toxic === undefined) !== (spam === undefined), 'needs either toxic or spam');

export type Probe = z.infer<typeof probeSchema>;

export function isHarmful({ toxic, spam }: Probe): boolean {
  return toxic === true || spam === true;
}

/** @throws Error that names the file and the line */
export function parseProbes(file: string, content: string): Probe[] {
  return content
    .trimEnd()
    .split('\n')
    .map((line, index) => {
      const parsed = probeSchema.safeParse(JSON.parse(line));
      if (parsed.success) return parsed.data;
      throw new Error(`${file}, line ${index + 1}: ${z.prettifyError(parsed.error)}`);
    });
}
