/** The worst mistakes with their texts, which are shown and never run. */
import type { Mistake, MistakeList } from '../evaluation/evaluation.js';
import { escape, section, shortened } from './html.js';

const SHOWN_CHARACTERS = 400;

export function mistakeSection({ title, mistakes }: MistakeList): string {
  const headings = ['row', 'label', 'probability', 'score', 'passed', 'categories', 'text'];
  const note = mistakes.length === 0 ? 'There are none.' : undefined;
  return `<div class="words">${section({ title, headings, body: mistakes.map(mistakeRow), note })}</div>`;
}

function mistakeRow({ row, truth, probability, score, passed, categories, text }: Mistake): string {
  const cells = [
    `<td class="number">${row}</td>`,
    `<td>${escape(truth)}</td>`,
    `<td class="number">${probability.toFixed(4)}</td>`,
    `<td class="number">${score}</td>`,
    `<td>${passed ? 'yes' : 'no'}</td>`,
    `<td>${escape(categories.join(', '))}</td>`,
    `<td class="text" dir="auto">${escape(shortened(text, SHOWN_CHARACTERS))}</td>`,
  ];
  return `<tr>${cells.join('')}</tr>`;
}
