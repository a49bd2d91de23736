/** No file imports itself, neither through others nor for a type: two that need each other have a third thing in common. */
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** Every file with those that it imports. */
type Imports = ReadonlyMap<string, readonly string[]>;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['src', 'benchmarks', 'clients'];
const FILES = ts.sys
  .readDirectory(ROOT, ['.ts'], ['**/dist', '**/node_modules'], FOLDERS)
  .map((file) => posix.relative(ROOT, file));

function importsOf(files: readonly string[], read: (file: string) => string): Imports {
  return new Map(
    files.map((file) => [
      file,
      specifiersIn(read(file))
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => posix.join(posix.dirname(file), specifier.replace(/\.js$/, '.ts')))
        .filter((imported) => files.includes(imported)),
    ]),
  );
}

/** Of `import`, `export … from`, `import()` and `import()` as a type. */
function specifiersIn(text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier !== undefined && ts.isStringLiteralLike(specifier)) found.push(specifier.text);
    ts.forEachChild(node, visit);
  };
  visit(
    ts.createSourceFile('file.ts', text, {
      languageVersion: ts.ScriptTarget.Latest,
      jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
    }),
  );
  return found;
}

function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return node.argument.literal;
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
    ? node.arguments[0]
    : undefined;
}

/** @returns at least one cycle where there are any, each as the path from a file back to itself */
function cyclesIn(imports: Imports): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const follow = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start !== -1) cycles.push([...path.slice(start), file].join(' -> '));
    if (start !== -1 || done.has(file)) return;
    for (const imported of imports.get(file) ?? []) follow(imported, [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) follow(file, []);
  return cycles;
}

describe('imports', () => {
  it('have no cycles', () => {
    const imports = importsOf(FILES, (file) => readFileSync(`${ROOT}${file}`, 'utf8'));
    expect(imports.get('src/server.ts')).toContain('src/service-process.ts');
    expect(imports.get('src/app.ts')).toContain('src/dashboard/dashboard.ts');
    expect(cyclesIn(imports)).toEqual([]);
    // Parsing all sources takes a second, and more where the machine is busy.
  }, 30_000);
});
