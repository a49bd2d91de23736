/** What the workers of this runtime are started with. Types only: both sides import it, neither the other. */
export interface OnnxSettings {
  readonly modelPath: string;
  readonly tokenizerPath: string;
  readonly labelCount: number;
  readonly sentimentCount: number;
  /** What the network tells apart: 0 where it knows one language, else one more than it knows. */
  readonly languageCount: number;
}
