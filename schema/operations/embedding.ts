/** A use of a vector, which some models make it for. */
export type EmbeddingPurpose =
  | 'query'
  | 'document'
  | 'similarity'
  | 'classification'
  | 'clustering'
  | 'question'
  | 'fact'
  | 'code';

/** A request for the vectors of texts, in no dialect. */
export interface EmbeddingRequest {
  readonly model?: string;
  readonly texts: readonly string[];
  /** How long the vectors are to be. */
  readonly dimensions?: number;
  readonly purpose?: EmbeddingPurpose;
  /** Members of the client's dialect that have no place here, by name. */
  readonly more: readonly string[];
}

/** The vectors of a request, in the order of its texts. */
export type Vectors = readonly (readonly number[])[];
