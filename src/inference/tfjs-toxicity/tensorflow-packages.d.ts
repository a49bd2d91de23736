/**
 * The parts of the TensorFlow.js packages that we use. They are declared here because the packages are optional: the service must
 * build without them. Where they are installed, a test loads them through these declarations.
 */
declare module '@tensorflow/tfjs-core' {
  export interface Tensor {
    dispose(): void;
  }
  export interface MemoryInfo {
    readonly numTensors: number;
    readonly numDataBuffers: number;
    readonly numBytes: number;
  }
  export function memory(): MemoryInfo;
  /** False, and a warning, where the backend cannot be started. */
  export function setBackend(name: string): Promise<boolean>;
  export function findBackend(name: string): unknown;
  export function removeBackend(name: string): void;
  export function env(): { getAsync(flag: string): Promise<unknown> };
}

declare module '@tensorflow/tfjs-converter' {
  import type { Tensor } from '@tensorflow/tfjs-core';
  export interface GraphModel {
    executeAsync(inputs: Readonly<Record<string, Tensor>>): Promise<Tensor | Tensor[]>;
    dispose(): void;
  }
  export interface GraphArtifacts {
    readonly modelTopology: object;
    readonly signature?: object;
    readonly weightSpecs: readonly object[];
    readonly weightData: ArrayBuffer;
  }
  export function loadGraphModel(source: { load(): Promise<GraphArtifacts> }): Promise<GraphModel>;
}

declare module '@tensorflow-models/universal-sentence-encoder' {
  export class Tokenizer {
    /** Pieces with their scores; the first six are reserved. */
    constructor(vocabulary: readonly (readonly [string, number])[]);
    encode(text: string): number[];
  }
}

declare module '@tensorflow-models/toxicity' {
  import type { Tokenizer } from '@tensorflow-models/universal-sentence-encoder';
  import type { GraphModel } from '@tensorflow/tfjs-converter';
  export interface Prediction {
    readonly label: string;
    /** Per text: the probabilities that the label does not apply, and that it does. */
    readonly results: readonly { readonly probabilities: ArrayLike<number>; readonly match: boolean | null }[];
  }
  export class ToxicityClassifier {
    constructor(threshold?: number, toxicityLabels?: string[]);
    loadModel(): Promise<GraphModel>;
    loadTokenizer(): Promise<Tokenizer>;
    load(): Promise<void>;
    classify(texts: string[] | string): Promise<Prediction[]>;
  }
}

declare module '@tensorflow/tfjs-backend-wasm';
declare module '@tensorflow/tfjs-node';
