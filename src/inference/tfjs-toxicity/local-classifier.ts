/**
 * `ToxicityClassifier` of @tensorflow-models/toxicity on files of this machine: its two public loading methods are overridden, and
 * what it leaves in memory is freed. Tokenising, running and reading the heads stay its own.
 */
import { ToxicityClassifier, type Prediction } from '@tensorflow-models/toxicity';
import { Tokenizer } from '@tensorflow-models/universal-sentence-encoder';
import { loadGraphModel, type GraphModel } from '@tensorflow/tfjs-converter';
import type { Tensor } from '@tensorflow/tfjs-core';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GRAPH_FILE, VOCABULARY_FILE } from '../manifest.js';
import { assertToxicityGraph, parseGraphFile, shardsOf, parseVocabulary } from './model-files.js';

export class LocalToxicityClassifier extends ToxicityClassifier {
  readonly #folder: string;
  #graph: GraphModel | undefined;
  #tokenizer: Tokenizer | undefined;
  /** Of the run under way: the package disposes no outputs, and its inputs only where the run succeeds. */
  #tensors: Tensor[] = [];

  /** @param folder holds `model.json`, the shards that it names, and `vocab.json` */
  constructor(folder: string) {
    super();
    this.#folder = folder;
  }

  override async loadModel(): Promise<GraphModel> {
    const graph = parseGraphFile(readFileSync(join(this.#folder, GRAPH_FILE), 'utf8'));
    assertToxicityGraph(graph);
    const weights = Buffer.concat(shardsOf(graph).map((name) => readFileSync(join(this.#folder, name))));
    const model = await loadGraphModel({
      load: () =>
        Promise.resolve({
          modelTopology: graph.modelTopology,
          ...(graph.signature && { signature: graph.signature }),
          weightSpecs: graph.weightsManifest.flatMap((group) => group.weights),
          // A copy that begins where its buffer begins.
          weightData: new Uint8Array(weights).buffer,
        }),
    });
    const execute = model.executeAsync.bind(model);
    model.executeAsync = async (inputs) => {
      this.#tensors.push(...Object.values(inputs));
      const outputs = await execute(inputs);
      this.#tensors.push(...[outputs].flat());
      return outputs;
    };
    this.#graph = model;
    return model;
  }

  override loadTokenizer(): Promise<Tokenizer> {
    this.#tokenizer = new Tokenizer(parseVocabulary(readFileSync(join(this.#folder, VOCABULARY_FILE), 'utf8')));
    return Promise.resolve(this.#tokenizer);
  }

  /** One call at a time: a second one would lose its tensors to the end of the first. */
  override async classify(texts: string[] | string): Promise<Prediction[]> {
    try {
      return await super.classify(texts);
    } finally {
      for (const tensor of this.#tensors) tensor.dispose();
      this.#tensors = [];
    }
  }

  /** The ids that `classify` makes of a text. */
  encode(text: string): number[] {
    if (this.#tokenizer === undefined) throw new Error('the tokenizer is not loaded');
    return this.#tokenizer.encode(text);
  }

  /** Frees the weights. May be called twice. */
  dispose(): void {
    this.#graph?.dispose();
    this.#graph = undefined;
  }
}
