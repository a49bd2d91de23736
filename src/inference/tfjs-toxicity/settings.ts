/** What the workers of this runtime are started with. Types only: both sides import it, neither the other. */
export interface ToxicitySettings {
  /** With the model's files; absolute. */
  readonly folder: string;
}
