/** What a command that runs in the process of the test writes, and how it ends. */
import { Writable } from 'node:stream';

/** @returns lines: what was written, a piece for each time */
export function collectingStream(): { readonly stream: Writable; readonly lines: string[] } {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return { stream, lines };
}

export async function outcomeOf(run: (streams: { stdout: Writable; stderr: Writable }) => Promise<number>) {
  const [out, err] = [collectingStream(), collectingStream()];
  const status = await run({ stdout: out.stream, stderr: err.stream });
  return { status, stdout: out.lines.join(''), stderr: err.lines.join('') };
}
