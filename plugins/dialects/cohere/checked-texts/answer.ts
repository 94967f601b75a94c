import {
  echo,
  list,
  type Member,
  type Members,
  object,
  structural,
  text,
  unreported,
  variants,
} from '../../shared/checked-texts/members.ts';
import { begunBlock, call, citation, message, named, said, source, thinking } from './message.ts';

const usage = object({
  billed_units: object({
    input_tokens: structural,
    output_tokens: structural,
    search_units: structural,
    classifications: structural,
    images: structural,
    image_tokens: structural,
  }),
  tokens: object({ input_tokens: structural, output_tokens: structural, image_tokens: structural }),
  cached_tokens: structural,
});

export const answer: Member = object({
  message: said,
  id: structural,
  finish_reason: structural,
  usage,
  logprobs: echo,
});

const delta = (members: Members): Member => object({ message: object(members) });

const event = (members: Members = {}): Member => object({ type: structural, index: structural, ...members });

const piece = event({
  delta: delta({
    content: variants(
      'type',
      { thinking },
      object({ text: text(), thinking: text(), signature: structural, data: structural }),
    ),
  }),
  logprobs: echo,
});

const called = event({ delta: delta({ tool_calls: call }) });

/** An event of a stream, with one call or citation instead of a message's lists: https://docs.cohere.com/reference/chat-stream */
export const frame: Member = variants(
  'type',
  {
    'message-start': event({ ...named, delta: unreported(delta(message)) }),
    'content-start': event({ delta: delta({ content: begunBlock }), logprobs: echo }),
    'content-delta': piece,
    'content-end': event(),
    'tool-plan-delta': event({ delta: object({ message: object({ tool_plan: text() }), tool_plan: text() }) }),
    'tool-call-start': called,
    'tool-call-delta': called,
    'tool-call-end': event(),
    // The event for a citation reports only the titles of documents.
    'citation-start': event({
      delta: delta({ citations: object({ ...citation, sources: unreported(list(source)) }) }),
    }),
    'citation-end': event(),
    'message-end': event({
      ...named,
      delta: object({ finish_reason: structural, error: echo, usage }),
    }),
    debug: event({ prompt: unreported(text()) }),
  },
  object({}),
);
