/** Which packages a production install holds, or the build carries, and under which licence, from the lockfile: it knows without an install. */
import { z } from 'zod';

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      integrity: z.string().optional(),
      dev: z.boolean().optional(),
      link: z.boolean().optional(),
    }),
  ),
});

/** `npm run build` copies of it what src/inference/onnx/session.ts loads. */
const CARRIED = 'node_modules/onnxruntime-web';

export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression; `none` where the package names none. */
  readonly licence: string;
  /** Of what npm will accept as this package. */
  readonly integrity: string | undefined;
}

/** @param lockfile the text of package-lock.json */
export function productionPackages(lockfile: string): LockedPackage[] {
  return (
    Object.entries(lockSchema.parse(JSON.parse(lockfile)).packages)
      // Workspaces are folders of their own, and links to them.
      .filter(
        ([path, { dev = false, link = false }]) =>
          path.startsWith('node_modules/') && (!dev || path === CARRIED) && !link,
      )
      .map(([path, { version = '', license = 'none', integrity }]) => ({
        name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
        version,
        licence: license,
        integrity,
      }))
  );
}
