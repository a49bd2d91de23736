/** How every command ends: quietly, or with one line that says why. Knows no command. */

/** Resolves to the exit status: 0, or 2 after one line on stderr. Never rejects. */
export async function exitStatusOf(
  run: () => Promise<void>,
  stderr: { write(text: string): unknown },
): Promise<number> {
  try {
    await run();
    return 0;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    stderr.write(`${reason.replaceAll(/\s+/g, ' ').trim()}\n`);
    return 2;
  }
}
