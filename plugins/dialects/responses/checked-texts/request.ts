import {
  all,
  before,
  facts,
  instructions,
  list,
  type Members,
  map,
  object,
  structural,
  textOr,
} from '../../shared/checked-texts/members.ts';
import { item } from './items.ts';
import { contentPart } from './parts.ts';

/** The settings of a request. An answer repeats them. */
export const settings: Members = {
  ...all('tools tool_choice text', instructions),
  ...all(
    `metadata moderation prompt_cache_options reasoning conversation context_management include stream_options
    stop_sequences provider models access_programs background_options image multi_agent betas`,
    facts,
  ),
  ...all(
    `model background max_output_tokens max_tool_calls parallel_tool_calls previous_response_id prompt_cache_key
    prompt_cache_retention safety_identifier service_tier store stream temperature top_logprobs top_p truncation user
    frequency_penalty presence_penalty top_k seed verbosity personality`,
    structural,
  ),
};

/** https://platform.openai.com/docs/api-reference/responses/create */
export const requestMembers: Members = {
  input: textOr(list(item)),
  instructions: before(textOr(list(item))),
  /** The caller's values for a prompt that the provider stores. */
  prompt: object({ variables: map(textOr(contentPart)), ...all('id version', structural) }),
  ...settings,
};
