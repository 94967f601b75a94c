import {
  all,
  choices,
  echo,
  facts,
  type Member,
  type Members,
  object,
  structural,
  text,
  unreported,
  value,
} from '../../shared/checked-texts/members.ts';
import { messageMembers } from './message.ts';
import { searched } from './sources.ts';

const choiceFacts: Members = {
  logprobs: echo,
  token_ids: echo,
  error: value('other'),
  ...all('index finish_reason native_finish_reason stop_reason matched_stop seed', structural),
  ...all('content_filter_results content_filter_result content_filter_offsets', facts),
};

/** The members of an answer beside its choices, in a whole answer or in each frame of a stream. */
const answerFacts: Members = {
  ...all('images videos', value('citation')),
  ...all('prompt_logprobs prompt_token_ids obfuscation prompt', echo),
  ...all('id object created model service_tier system_fingerprint provider', structural),
  ...all(
    `usage moderation x_groq citations prompt_filter_results prompt_annotations time_info timings kv_transfer_params
    metadata usage_breakdown nvext`,
    facts,
  ),
};

/** https://platform.openai.com/docs/api-reference/chat/object */
export const answer: Member = object({
  ...searched,
  choices: choices(object({ message: object(messageMembers), ...choiceFacts })),
  ...answerFacts,
});

/** No event of a stream reports these members. */
const unreportedMembers: Members = {
  ...all('name', unreported(text('other'))),
  parsed: unreported(value('other')),
};

/** https://platform.openai.com/docs/api-reference/chat-streaming. Some providers repeat the message so far beside its delta. */
export const frame: Member = object({
  ...searched,
  choices: choices(
    object({
      delta: object({ ...messageMembers, ...unreportedMembers }),
      message: object({ ...messageMembers, ...unreportedMembers }),
      ...choiceFacts,
      error: unreported(value('other')),
    }),
  ),
  ...answerFacts,
  ...all('images videos', unreported(value('citation'))),
  error: echo,
});
