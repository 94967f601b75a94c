import type { EmbeddingPurpose } from '../../../schema/operations/embedding.ts';

/** https://docs.cohere.com/reference/embed#request.body.input_type */
export const inputTypes: Readonly<Partial<Record<EmbeddingPurpose, string>>> = {
  query: 'search_query',
  document: 'search_document',
  classification: 'classification',
  clustering: 'clustering',
};

const purposes: readonly EmbeddingPurpose[] = ['query', 'document', 'classification', 'clustering'];

/** The purpose that a word says; undefined for one that it does not have, such as that of images. */
export const purposeOf = (word: string): EmbeddingPurpose | undefined =>
  purposes.find((purpose) => inputTypes[purpose] === word);
