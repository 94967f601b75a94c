import type { EmbeddingPurpose } from '../../../schema/operations/embedding.ts';

/** https://docs.cohere.com/reference/embed#request.body.input_type */
export const inputTypes: Readonly<Partial<Record<EmbeddingPurpose, string>>> = {
  query: 'search_query',
  document: 'search_document',
  classification: 'classification',
  clustering: 'clustering',
};

const purposes: readonly EmbeddingPurpose[] = ['query', 'document', 'classification', 'clustering'];

/** Returns the purpose for a word, or undefined for a word without one, such as that for images. */
export const purposeOf = (word: string): EmbeddingPurpose | undefined =>
  purposes.find((purpose) => inputTypes[purpose] === word);
