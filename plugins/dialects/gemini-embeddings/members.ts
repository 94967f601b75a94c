import type { DialectMembers } from '../../sdk/dialect/members.ts';
import { content } from '../gemini/checked-texts/parts.ts';
import { bothCases } from '../gemini/checked-texts/spelling.ts';
import { echo, facts, list, type Members, object, structural, text } from '../shared/checked-texts/members.ts';

/** https://ai.google.dev/api/embeddings#EmbedContentRequest */
const request: Members = bothCases({
  content: content(bothCases),
  title: text('other'),
  model: structural,
  taskType: structural,
  outputDimensionality: structural,
  autoTruncate: structural,
});

const figures: Members = { usageMetadata: facts };

/** https://ai.google.dev/api/embeddings#method:-models.embedcontent */
export const singleMembers: DialectMembers = {
  request: object(request),
  answer: object({ embedding: echo, ...figures }),
};

/** https://ai.google.dev/api/embeddings#method:-models.batchembedcontents */
export const batchMembers: DialectMembers = {
  request: object({ requests: list(object(request)), model: structural }),
  answer: object({ embeddings: echo, ...figures }),
};
