import type { EmbeddingPurpose } from '../../../schema/operations/embedding.ts';

/** How a service that follows OpenAI's embeddings differs from them. */
export interface EmbeddingForm {
  /** Its name for `dimensions`. */
  readonly dimensions?: string;
  /** How requests say what vectors are for. Absent: they cannot. */
  readonly purpose?: {
    readonly member: string;
    readonly words: Readonly<Partial<Record<EmbeddingPurpose, string>>>;
    /** The word of requests that say nothing, where it requires one. */
    readonly default?: string;
  };
  /** The member, and the words, for how numbers are written; a word that is absent is not sent. Absent: those of OpenAI. */
  readonly encoding?: {
    readonly member: string;
    readonly words: { readonly float?: string; readonly base64?: string };
  };
}
