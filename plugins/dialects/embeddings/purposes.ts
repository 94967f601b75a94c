import type { EmbeddingPurpose } from '../../../schema/operations/embedding.ts';

/**
 * The words with which services that follow OpenAI, and the libraries of other services, state the purpose of vectors: Voyage's
 * and NVIDIA's, Cohere's, Google's and Jina's. OpenAI itself has none.
 */
const purposes: ReadonlyMap<string, EmbeddingPurpose> = new Map([
  ['query', 'query'],
  ['search_query', 'query'],
  ['RETRIEVAL_QUERY', 'query'],
  ['retrieval.query', 'query'],
  ['document', 'document'],
  ['passage', 'document'],
  ['search_document', 'document'],
  ['RETRIEVAL_DOCUMENT', 'document'],
  ['retrieval.passage', 'document'],
  ['SEMANTIC_SIMILARITY', 'similarity'],
  ['text-matching', 'similarity'],
  ['classification', 'classification'],
  ['CLASSIFICATION', 'classification'],
  ['clustering', 'clustering'],
  ['CLUSTERING', 'clustering'],
  ['separation', 'clustering'],
  ['QUESTION_ANSWERING', 'question'],
  ['FACT_VERIFICATION', 'fact'],
  ['CODE_RETRIEVAL_QUERY', 'code'],
  ['code.query', 'code'],
  ['nl2code.query', 'code'],
]);

/** The members in which clients state the purpose. */
export const purposeMembers = ['input_type', 'task_type', 'task'] as const;

/** Returns undefined for a word that no service is known to use. */
export const findPurpose = (word: string | undefined): EmbeddingPurpose | undefined =>
  word === undefined ? undefined : purposes.get(word);
