/** The use of a vector. Some models compute different vectors for different uses. */
export type EmbeddingPurpose =
  | 'query'
  | 'document'
  | 'similarity'
  | 'classification'
  | 'clustering'
  | 'question'
  | 'fact'
  | 'code';

/** A request for the vectors of texts, independent of any dialect. */
export interface EmbeddingRequest {
  readonly model?: string;
  readonly texts: readonly string[];
  /** The number of dimensions of the vectors. */
  readonly dimensions?: number;
  readonly purpose?: EmbeddingPurpose;
  /** Members of the client's dialect that have no counterpart here, by name. */
  readonly more: readonly string[];
}

/** The vectors of a request, in the order of its texts. */
export type Vectors = readonly (readonly number[])[];
