import type { DialectMembers } from '../../sdk/dialect/members.ts';
import { all, echo, facts, instructions, list, object, structural, value } from '../shared/checked-texts/members.ts';

/** A document in the answer, which the client asked for, repeats the request. */
const result = object({ document: echo, ...all('index relevance_score object', structural) });

/**
 * https://docs.cohere.com/reference/rerank and its version 1, in which documents may be objects, and what services with the same
 * format add, such as Jina, Together, SiliconFlow and vLLM. Some have the results as `data`.
 */
export const members: DialectMembers = {
  request: object({
    query: value(),
    documents: list(value()),
    ...all('instruction instruct', instructions),
    ...all(
      `model top_n top_k return_documents max_tokens_per_doc max_chunks_per_doc priority truncate truncation
      truncate_prompt_tokens user overlap_tokens`,
      structural,
    ),
    ...all('rank_fields metadata provider', facts),
  }),
  answer: object({
    ...all('results data', list(result)),
    ...all('id object model provider', structural),
    ...all('usage meta tokens', facts),
  }),
};
