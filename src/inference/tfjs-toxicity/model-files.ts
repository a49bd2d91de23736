/** Reads `model.json` of a TensorFlow.js graph model, and `vocab.json`, the word pieces of the Universal Sentence Encoder. Runs nothing. */
import { z } from 'zod';
import { GOOGLE_LABELS } from './google-model.js';

const node = z.looseObject({ name: z.string(), op: z.string(), input: z.array(z.string()).default([]) });

const weight = z.looseObject({
  name: z.string(),
  shape: z.array(z.int().min(0)),
  dtype: z.enum(['float32', 'int32', 'bool']),
  quantization: z.looseObject({ dtype: z.enum(['uint8', 'uint16', 'float16']) }).optional(),
});

const graphFileSchema = z.looseObject({
  modelTopology: z.looseObject({ node: z.array(node).min(1) }),
  weightsManifest: z
    .array(
      z.looseObject({
        paths: z.array(z.string().regex(/^[\w.-]+$/, 'must be plain file names')).min(1),
        weights: z.array(weight),
      }),
    )
    .min(1),
  signature: z.looseObject({ outputs: z.record(z.string(), z.looseObject({ name: z.string() })).optional() }).nullish(),
});
export type GraphFile = z.output<typeof graphFileSchema>;

/** What `ToxicityClassifier` feeds: the ids of all texts in a row, and for each of them text and place. */
const INPUTS = ['Placeholder', 'Placeholder_1'] as const;

const BYTES_OF_TYPE = { float32: 4, int32: 4, bool: 1, uint8: 1, uint16: 2, float16: 2 } as const;

/** @throws Error that says what is wrong with the file */
export function parseGraphFile(json: string): GraphFile {
  const parsed = graphFileSchema.safeParse(jsonIn(json));
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  return parsed.data;
}

/** @throws Error when the graph does not have the inputs and the heads of the toxicity model */
export function assertToxicityGraph(graph: GraphFile): void {
  const { node: nodes } = graph.modelTopology;
  for (const input of INPUTS) {
    if (!nodes.some(({ name, op }) => name === input && op === 'Placeholder'))
      throw new Error(`it has no input ${input}`);
  }
  const heads = outputsOf(graph).map((name) => name.split('/')[0] ?? '');
  const expected: readonly string[] = GOOGLE_LABELS;
  if (heads.length !== expected.length || !expected.every((label) => heads.includes(label))) {
    throw new Error(`its heads are not those of the toxicity model but ${heads.join(', ') || 'none'}`);
  }
}

/** As TensorFlow.js takes them: what the signature names, else the nodes that no other node reads. */
function outputsOf({ signature, modelTopology }: GraphFile): string[] {
  const named = Object.values(signature?.outputs ?? {}).map(({ name }) => nodeName(name));
  if (named.length > 0) return named;
  const read = new Set(modelTopology.node.flatMap(({ input }) => input.map(nodeName)));
  return modelTopology.node.map(({ name }) => name).filter((name) => !read.has(name));
}

/** `^name` is a control input, `name:0` the first output of a node. */
function nodeName(reference: string): string {
  return reference.replace(/^\^/, '').replace(/:\d+$/, '');
}

/** The files with the weights, in the order in which they follow each other. */
export function shardsOf(graph: GraphFile): string[] {
  return graph.weightsManifest.flatMap(({ paths }) => paths);
}

export function weightBytesOf(graph: GraphFile): number {
  return graph.weightsManifest
    .flatMap(({ weights }) => weights)
    .reduce((sum, { shape, dtype, quantization }) => {
      const values = shape.reduce((product, size) => product * size, 1);
      return sum + values * BYTES_OF_TYPE[quantization?.dtype ?? dtype];
    }, 0);
}

/** Pieces and their scores, by id. */
export type Vocabulary = [string, number][];

/** The package takes the first six as reserved, and finds unknown characters by the length of the first. */
const RESERVED_PIECES = 6;

const vocabularySchema = z.array(z.tuple([z.string(), z.number()])).min(RESERVED_PIECES + 1);

/** U+2581, which the package writes for a space. */
const SPACE_PIECE = '▁';

/** @throws Error that says what is wrong with the file */
export function parseVocabulary(json: string): Vocabulary {
  const parsed = vocabularySchema.safeParse(jsonIn(json));
  if (!parsed.success) throw new Error('it is no list of pieces and scores');
  const pieces = parsed.data;
  // Walking back over an unknown character steps by the length of this piece: any other would never end or miss characters.
  if (Array.from(pieces[0]?.[0] ?? '').length !== 1) throw new Error('its first piece is not one character');
  if (!pieces.some(([piece]) => piece.startsWith(SPACE_PIECE))) throw new Error('no piece begins a word');
  return pieces;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('it is not JSON');
  }
}
