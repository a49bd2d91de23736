/** The texts that are measured, by what is known of them. */

export interface LabelledTexts {
  readonly toxic: readonly string[];
  readonly harmless: readonly string[];
}

/** With a second look at what is behind a label. */
export interface ReadTexts extends LabelledTexts {
  /** Those of the harmless texts that readers do not call abusive. */
  readonly readHarmless: readonly string[];
  /** Toxic texts that readers call severe; all of them are hidden, whatever they score. */
  readonly readSevere: readonly string[];
}

export interface HarmfulText {
  readonly text: string;
  /** Whether its readers call it so. */
  readonly isSevere: boolean;
}
