/** What the workers of this runtime are started with. Types only: both sides import it, neither the other. */
export interface OnnxSettings {
  readonly modelPath: string;
  readonly tokenizerPath: string;
  readonly labelCount: number;
  readonly sentimentCount: number;
}
