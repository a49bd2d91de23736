/**
 * A stand-in for Google's toxicity model, made by code: a graph of the same signature and operations with random weights, and a list
 * of words for each label instead of knowledge. Good for tests and for timing the arithmetic, useless for judging texts.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GRAPH_FILE, VOCABULARY_FILE, type StoredManifest } from '../../../../src/inference/manifest.js';
import { type GoogleLabel, googleManifest } from '../../../../src/inference/tfjs-toxicity/google-model.js';
import type { Vocabulary } from '../../../../src/inference/tfjs-toxicity/model-files.js';
import { buildEncoderGraph, type EncoderSize } from './encoder-graph.js';
import { createWeightSource } from './random-weights.js';

export interface StandInOptions {
  readonly size: EncoderSize;
  /** Least number of pieces: made-up ones fill it. */
  readonly vocabularySize: number;
  /** Into how many files the weights are cut. */
  readonly shards: number;
}

/** Small enough for tests. */
export const SMALL: StandInOptions = {
  size: { layers: 1, width: 16, heads: 2, feedForward: 32 },
  vocabularySize: 0,
  shards: 2,
};

const SIGNS: Readonly<Record<GoogleLabel, readonly string[]>> = {
  toxicity: ['stupid', 'idiot', 'filthy', 'trash', 'kill', 'hate'],
  severe_toxicity: ['filthy', 'kill'],
  obscene: ['filthy'],
  threat: ['kill', 'die'],
  insult: ['stupid', 'idiot', 'trash'],
  identity_attack: ['foreigners'],
  sexual_explicit: ['naked'],
};

const ORDINARY_WORDS =
  `a after afternoon all along and are at based be bring bridge but child closes coast day early eggs find flour for
  gardening had has hope how i in is it learning leaves library little lovely lunch made me morning much museum my near needs new nine no
  of off on opens our piano place platform play please rained recipe remember right river says section shut sister six small so some
  sugar sunny sure thank that the there they this tickets time to today tomorrow train two up was we what who will with you your`.split(
    /\s+/,
  );

const RESERVED: Vocabulary = ['�', '<s>', '</s>', '<1>', '<2>', '<3>'].map((piece) => [piece, 0]);
const SPACE = '▁';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

export function standInVocabulary(least: number): Vocabulary {
  const random = createWeightSource(1);
  const printable = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
  const pieces = new Set([SPACE, ...printable]);
  for (const word of [...ORDINARY_WORDS, ...Object.values(SIGNS).flat()]) pieces.add(SPACE + word).add(word);
  while (RESERVED.length + pieces.size < least) {
    pieces.add(Array.from({ length: 2 + random.whole(4) }, () => LETTERS[random.whole(LETTERS.length)] ?? '').join(''));
  }
  // Rarer the shorter, so that a word is one piece wherever it can be.
  return [...RESERVED, ...[...pieces].map((piece): [string, number] => [piece, -8 - 4 / piece.length])];
}

/** Writes `model.json`, shards and `vocab.json`, as the hub has them: without a manifest of ours. */
export function writeStandInFiles(
  folder: string,
  { size, vocabularySize, shards }: StandInOptions,
  alter: (json: string) => string = (json) => json,
): string[] {
  const vocabulary = standInVocabulary(vocabularySize);
  const idOf = new Map(vocabulary.map(([piece], id) => [piece, id]));
  const signs = Object.fromEntries(
    Object.entries(SIGNS).map(([label, words]) => [
      label,
      words.flatMap((word) => [SPACE + word, word]).flatMap((piece) => idOf.get(piece) ?? []),
    ]),
  );
  const { nodes, weightSpecs, weights } = buildEncoderGraph({
    size,
    vocabularySize: vocabulary.length,
    random: createWeightSource(2),
    signs,
  });
  const paths = Array.from({ length: shards }, (_, index) => `group1-shard${index + 1}of${shards}`);
  const shardBytes = Math.ceil(weights.length / shards);
  mkdirSync(folder, { recursive: true });
  paths.forEach((path, index) => {
    writeFileSync(join(folder, path), weights.subarray(index * shardBytes, (index + 1) * shardBytes));
  });
  const graph = {
    format: 'graph-model',
    modelTopology: { node: nodes, versions: { producer: 1 } },
    weightsManifest: [{ paths, weights: weightSpecs }],
  };
  writeFileSync(join(folder, GRAPH_FILE), alter(JSON.stringify(graph)));
  writeFileSync(join(folder, VOCABULARY_FILE), alter(JSON.stringify(vocabulary)));
  return [GRAPH_FILE, VOCABULARY_FILE, ...paths];
}

/**
 * A whole model folder that the service can serve.
 *
 * @param alter changes the graph and the vocabulary before they are hashed, so that only their content is wrong
 */
export function writeStandInModel(
  folder: string,
  options: StandInOptions,
  alter: (json: string) => string = (json) => json,
): void {
  const files: StoredManifest['files'] = {};
  for (const name of writeStandInFiles(folder, options, alter)) {
    const content = readFileSync(join(folder, name));
    files[name] = { sha256: createHash('sha256').update(content).digest('hex'), bytes: content.length };
  }
  const manifest = googleManifest({ id: 'toxicity-stand-in', version: '0.0.0', files });
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
