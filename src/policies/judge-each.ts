/** Has many texts judged, some at once. Knows nothing of what is made of them. */

/**
 * In the order in which they were done. After a failure nothing that has not begun begins any more.
 *
 * @param concurrency texts that are with the model at once
 */
export async function judgeEach<Text, Judged>(
  texts: readonly Text[],
  concurrency: number,
  judge: (text: Text) => Promise<Judged>,
): Promise<Judged[]> {
  const judged: Judged[] = [];
  const entries = texts.values();
  let failed = false;
  const takers = Array.from({ length: Math.min(concurrency, texts.length) }, async () => {
    for (const text of entries) {
      if (failed) return;
      try {
        judged.push(await judge(text));
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  });
  await Promise.all(takers);
  return judged;
}
