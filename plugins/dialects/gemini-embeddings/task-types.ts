import type { EmbeddingPurpose } from '../../../schema/operations/embedding.ts';

/** Google's words for the purposes of vectors: https://ai.google.dev/api/embeddings#v1beta.TaskType */
export const taskTypes: Readonly<Record<EmbeddingPurpose, string>> = {
  query: 'RETRIEVAL_QUERY',
  document: 'RETRIEVAL_DOCUMENT',
  similarity: 'SEMANTIC_SIMILARITY',
  classification: 'CLASSIFICATION',
  clustering: 'CLUSTERING',
  question: 'QUESTION_ANSWERING',
  fact: 'FACT_VERIFICATION',
  code: 'CODE_RETRIEVAL_QUERY',
};

const purposes: ReadonlyMap<string, EmbeddingPurpose> = new Map(
  Object.entries(taskTypes).map(([purpose, word]) => [word, purpose as EmbeddingPurpose]),
);

/** Returns the purpose for a word of Google's, or undefined if there is none. */
export const purposeOf = (word: string): EmbeddingPurpose | undefined => purposes.get(word);
