import type { DialectMembers } from '../../sdk/dialect/members.ts';
import { all, echo, facts, instructions, list, object, structural, value } from '../wire/checked-texts/members.ts';

/** A document that was asked for again says what the request said. */
const result = object({ document: echo, ...all('index relevance_score object', structural) });

/**
 * https://docs.cohere.com/reference/rerank and version 1 of it, in which documents may be objects, and what services of
 * the same form add, such as Jina, Together, SiliconFlow and vLLM. Some have the results as `data`.
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
