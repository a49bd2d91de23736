/**
 * The part of @huggingface/tokenizers that we use. Its own declarations (0.2.0) import without file extensions, which
 * "moduleResolution": "nodenext" cannot follow (https://arethetypeswrong.github.io/, "internal resolution error"), so everything in
 * them turns into `any`.
 */
declare module '@huggingface/tokenizers' {
  export class Tokenizer {
    constructor(tokenizer: object, config: object);
    encode(text: string, options?: { add_special_tokens?: boolean }): { ids: number[] };
    token_to_id(token: string): number | undefined;
    readonly model: {
      /** Those of the vocabulary and the added ones. */
      readonly tokens_to_ids: Map<string, number>;
      /** Called with the words of a text; may be replaced. */
      encode: (words: readonly string[]) => string[];
    };
  }
}
