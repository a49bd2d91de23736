/** Comments for when there is no file of them: text number n is the same in every run, and no two numbers give the same text. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { dataFile } from '../../data-file.js';
import { createRandom, type Random } from '../../robustness/random.js';

const parts = z.array(z.string());
/** Plain English of many subjects; nothing that any filter should mind. `#` in an opening stands for the comment's number. */
const { openings, leads, subjects, predicates, tails } = z
  .object({ openings: parts, leads: parts, subjects: parts, predicates: parts, tails: parts })
  .parse(JSON.parse(readFileSync(dataFile('load/texts/sentence-parts.json'), 'utf8')));

/** Lengths are skewed as those of real comments are: many short ones and a few long. */
const MEAN_SENTENCES_AFTER_THE_FIRST = 2.45;
const MOST_SENTENCES = 16;

/** @param index a whole number from 0 on; the only digits in the text are those of its number, so that none repeats another */
export function generatedText(index: number): string {
  const random = createRandom(index);
  const count = 1 + Math.min(MOST_SENTENCES - 1, Math.floor(exponential(random, MEAN_SENTENCES_AFTER_THE_FIRST)));
  const sentences = Array.from({ length: count }, () => sentence(random));
  return [random.pick(openings).replace('#', `#${index + 1}`), ...sentences].join(' ');
}

function sentence(random: Random): string {
  const parts = [random.pick(subjects), random.pick(predicates)];
  if (random.next() < 0.5) parts.unshift(random.pick(leads));
  if (random.next() < 0.6) parts.push(random.pick(tails));
  const words = parts.join(' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

function exponential(random: Random, mean: number): number {
  return -mean * Math.log(1 - random.next());
}
