/** The promise that calibration comes from the manifest: nobody types a number into the code that the training should find. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** All number literals of a module, as they are written. Those in comments and in strings do not count. */
function numbersOf(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  const numbers: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNumericLiteral(node)) numbers.push(node.getText(source));
    node.forEachChild(visit);
  };
  visit(source);
  return numbers;
}

/** Write the manifest of a model that Google trained: nothing of it is calibrated here. */
const OF_GOOGLE = /google-(?:labels|model)\.ts$/;

describe('numbers that decide verdicts', () => {
  it.each([
    // 4 and 7 are the bands; above a half, the smaller part of a text was read.
    ['verdict.ts', ['0', '1', '4', '7', '0.5']],
    // 2 ** -24 is the step of float32 below 1.
    ['pooling.ts', ['0', '1', '2', '24']],
    ['spans.ts', ['0', '1']],
  ])('are none in %s but %j', (file, allowed) => {
    expect(numbersOf(join('src/moderation', file)).filter((number) => !allowed.includes(number))).toEqual([]);
  });

  it('are no fractions anywhere in moderation and inference, but a few that say what a half is', () => {
    const fractions = ['src/moderation', 'src/inference'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !OF_GOOGLE.test(file))
        .flatMap((file) =>
          numbersOf(join(folder, file))
            .filter((number) => !Number.isInteger(Number(number.replaceAll('_', ''))))
            .map((number) => `${file}: ${number}`),
        ),
    );
    expect(fractions.sort()).toEqual([
      // From where on a description says "most of the text".
      'description.ts: 0.5',
      'verdict.ts: 0.5',
      // How long a long text lets short ones pass.
      'workers/pooled-classifier.ts: 0.5',
    ]);
  });
});
