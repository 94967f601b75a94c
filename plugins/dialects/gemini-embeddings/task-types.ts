import type { EmbeddingPurpose } from '../../../schema/operations/embedding.ts';

/** Google's words for what vectors are for: https://ai.google.dev/api/embeddings#v1beta.TaskType */
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

/** The purpose that a word of Google's says; undefined for one that it does not have. */
export const purposeOf = (word: string): EmbeddingPurpose | undefined => purposes.get(word);
