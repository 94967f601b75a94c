import type { DialectMembers } from '../../sdk/dialect/members.ts';
import {
  all,
  choices,
  echo,
  facts,
  instructions,
  type Members,
  object,
  refused,
  structural,
  text,
  unreported,
} from '../shared/checked-texts/members.ts';
import { prompt } from '../shared/checked-texts/prompt-member.ts';

/** https://platform.openai.com/docs/api-reference/completions/create, and what providers of open models add to it. */
const request: Members = {
  prompt,
  suffix: text(),
  ...all('stop guided_json guided_regex guided_grammar guided_choice response_format', instructions),
  ...all('prompt_embeds prompt_token_ids', refused),
  ...all('logit_bias stream_options metadata provider models', facts),
  ...all(
    `model best_of echo frequency_penalty logprobs max_tokens n presence_penalty seed stream temperature top_p user top_k
    min_p repetition_penalty length_penalty min_tokens ignore_eos skip_special_tokens add_special_tokens use_beam_search
    safety_model truncate_prompt_tokens`,
    structural,
  ),
};

const choice: Members = {
  text: text(),
  logprobs: echo,
  ...all('prompt_logprobs token_ids prompt_token_ids', echo),
  ...all('index finish_reason native_finish_reason stop_reason matched_stop seed', structural),
  content_filter_results: facts,
};

const rest: Members = {
  ...all('id object created model system_fingerprint service_tier provider', structural),
  ...all('usage kv_transfer_params timings x_groq prompt_filter_results', facts),
  ...all('obfuscation prompt_logprobs prompt_token_ids', echo),
};

const reasoning = text('reasoning');

/** https://platform.openai.com/docs/api-reference/completions/object. OpenRouter adds reasoning, which no event reports. */
export const members: DialectMembers = {
  request: object(request),
  answer: object({
    choices: choices(object({ ...all('reasoning reasoning_content', reasoning), ...choice })),
    ...rest,
  }),
  frame: object({
    choices: choices(object({ ...choice, ...all('reasoning reasoning_content', unreported(reasoning)) })),
    ...rest,
    error: echo,
  }),
};
