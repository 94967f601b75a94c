import type { EmbeddingPurpose } from '../../../schema/operations/embedding.ts';

/** How a variant of OpenAI's embeddings format differs from it. */
export interface EmbeddingForm {
  /** The name of `dimensions`. */
  readonly dimensions?: string;
  /** How requests state what the vectors are for. If absent, they cannot. */
  readonly purpose?: {
    readonly member: string;
    readonly words: Readonly<Partial<Record<EmbeddingPurpose, string>>>;
    /** The value for requests that do not state a purpose, if the service requires one. */
    readonly default?: string;
  };
  /** The member for the encoding of numbers and its values. A value that is absent is not sent. If absent, those of OpenAI. */
  readonly encoding?: {
    readonly member: string;
    readonly words: { readonly float?: string; readonly base64?: string };
  };
}
