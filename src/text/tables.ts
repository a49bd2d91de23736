/** Reads the tables of src/text: text files beside the code that uses them, with notes in lines that begin with "# ". */
import { readFileSync } from 'node:fs';

/** Words between spaces and line breaks. */
export function readWords(file: URL): readonly string[] {
  return readLines(file).flatMap((line) => line.trim().split(/\s+/));
}

/** A key and, after a space, its value in each line. */
export function readTable(file: URL): ReadonlyMap<string, string> {
  return new Map(
    readLines(file).map((line): [string, string] => {
      const [key = '', ...value] = line.split(' ');
      return [key, value.join(' ')];
    }),
  );
}

/** The letter that begins the line for each sign in the rest of it: of several lines with a sign, the first counts. */
export function readLetters(file: URL): ReadonlyMap<string, string> {
  const letters = new Map<string, string>();
  for (const [letter, signs] of readTable(file)) {
    for (const sign of signs) if (!letters.has(sign)) letters.set(sign, letter);
  }
  return letters;
}

/** Without notes and empty lines. */
export function readLines(file: URL): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('# '));
}
