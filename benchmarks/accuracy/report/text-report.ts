/** Sets tables for a terminal. Decides nothing about what they say. */
import type { Table } from './table.js';

export function renderText(tables: readonly Table[], notes: readonly string[]): string {
  const sections = [...tables.map(renderTable), ...notes.map((note) => `Note: ${note}\n`)];
  return sections.join('\n');
}

function renderTable({ title, headings, rows, note }: Table): string {
  const lines = headings.length === 0 ? rows : [headings, ...rows];
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const set = lines.map((line) =>
    line
      // Names to the left; numbers to the right, where there are columns of them.
      .map((cell, column) =>
        column === 0 || headings.length === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  return [title, ...set.map((line) => `  ${line}`), ...(note === undefined ? [] : [`  ${note}`]), ''].join('\n');
}
