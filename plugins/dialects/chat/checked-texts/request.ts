import {
  all,
  before,
  facts,
  instructions,
  list,
  type Members,
  object,
  refused,
  structural,
  value,
} from '../../shared/checked-texts/members.ts';
import { turn } from './message.ts';
import { content } from './parts.ts';

/** https://platform.openai.com/docs/api-reference/chat/create */
const openai: Members = {
  messages: list(turn),
  /** A predicted answer repeats earlier text, such as a file that is being edited. */
  prediction: before(object({ content, type: structural })),
  ...all('tools tool_choice functions function_call response_format stop', instructions),
  ...all(
    `audio logit_bias metadata modalities moderation prompt_cache_options stream_options web_search_options
    extra_body`,
    facts,
  ),
  ...all(
    `model frequency_penalty logprobs max_completion_tokens max_tokens n parallel_tool_calls presence_penalty
    prompt_cache_key prompt_cache_retention reasoning_effort safety_identifier seed service_tier store stream temperature
    top_logprobs top_p user verbosity`,
    structural,
  ),
};

/**
 * The members that compatible providers add: https://openrouter.ai/docs/api-reference/overview,
 * https://console.groq.com/docs/api-reference, https://docs.mistral.ai/api, https://docs.perplexity.ai/api-reference,
 * https://docs.x.ai/docs/api-reference, https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html,
 * https://docs.together.ai/reference/chat-completions-1, https://learn.microsoft.com/azure/ai-foundry/openai/reference
 */
const added: Members = {
  ...all('documents', value('tool-result')),
  ...all('data_sources plugins chat_template guided_json guided_regex guided_grammar guided_choice', instructions),
  ...all('structured_outputs grammar template translation_options bad_words stop_token_ids', instructions),
  ...all('prompt_token_ids prompt_embeds input_ids', refused),
  ...all(
    `models provider transforms reasoning usage trace compound_custom search_settings include_domains exclude_domains
    citation_options search_domain_filter search_parameters media_response thinking chat_template_kwargs
    mm_processor_kwargs guardrails search_options image_config`,
    facts,
  ),
  ...all(
    `route include_reasoning session_id reasoning_format disable_tool_validation safe_prompt random_seed prompt_mode
    search_mode search_recency_filter search_after_date_filter search_before_date_filter return_images
    return_related_questions return_citations language_preference deferred top_k min_p top_a repetition_penalty
    length_penalty best_of min_tokens ignore_eos skip_special_tokens spaces_between_special_tokens echo
    add_generation_prompt continue_final_message use_beam_search safety_model context_length_exceeded_behavior
    prompt_truncate_len raw_output enable_thinking thinking_budget enable_search keep_alive max_reasoning_tokens
    include_stop_str_in_output priority n_keep cache_prompt`,
    structural,
  ),
};

export const requestMembers: Members = { ...openai, ...added };
