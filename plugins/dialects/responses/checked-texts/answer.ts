import {
  again,
  all,
  facts,
  instructions,
  list,
  type Member,
  object,
  structural,
  text,
  value,
} from '../../shared/checked-texts/members.ts';
import { item } from './items.ts';
import { settings } from './request.ts';

/** https://platform.openai.com/docs/api-reference/responses/object. It repeats settings of the request. */
export const answer: Member = object({
  output: list(item),
  output_text: again(text('other')),
  error: value('other'),
  ...all('instructions prompt', instructions),
  ...settings,
  ...all('id object created_at completed_at status billing', structural),
  ...all('incomplete_details usage input_transformations prompt_cache_diagnostics tool_usage', facts),
});
