import type { DialectMembers } from '../../sdk/dialect/members.ts';
import { all, echo, facts, instructions, list, object, refused, structural } from '../shared/checked-texts/members.ts';
import { prompt } from '../shared/checked-texts/prompt-member.ts';

/** https://platform.openai.com/docs/api-reference/embeddings/create, and what providers such as Jina and Voyage add. */
export const members: DialectMembers = {
  request: object({
    input: prompt,
    ...all('prompt_token_ids input_ids', refused),
    ...all(
      `model dimensions encoding_format user task input_type truncate truncation late_chunking normalized embedding_type
      output_dimension output_dtype truncate_prompt_tokens add_special_tokens priority`,
      structural,
    ),
    ...all('metadata provider embedding_types', facts),
    instruction: instructions,
  }),
  /** https://platform.openai.com/docs/api-reference/embeddings/object: vectors, as numbers or in base64. */
  answer: object({
    data: list(object({ ...all('embedding embeddings', echo), ...all('object index', structural) })),
    ...all('id object model created provider', structural),
    ...all('usage metadata', facts),
  }),
};
