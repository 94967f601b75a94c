import {
  again,
  echo,
  instructions,
  json,
  list,
  type Member,
  type Members,
  media,
  object,
  structural,
  text,
  textOr,
  untold,
  value,
  variants,
} from '../wire/members.ts';

const named: Members = { id: structural };

/** A text, or what the caller knows of it: https://docs.cohere.com/reference/chat#request.body.documents */
const document = textOr(object({ data: value(), ...named }));

const textBlock = object({ text: text(), type: structural });

/** Thinking, with what another provider proves it by. */
const thinking = object({ thinking: text('reasoning'), type: structural, signature: structural, data: structural });

const block = variants(
  'type',
  {
    text: textBlock,
    thinking,
    image_url: object({ type: structural, image_url: object({ url: media, detail: structural }) }),
    document: object({ document, type: structural }),
  },
  textBlock,
);

/** What a document or a tool's result says of itself; its text repeats the answer's. */
const source = object({ document: value(), tool_output: value(), type: structural, ...named }, 'citation');

const citation: Members = {
  start: structural,
  end: structural,
  // The words of the answer that it is about.
  text: again(text('citation')),
  type: structural,
  content_index: structural,
};

const call = object({
  ...named,
  type: structural,
  function: object({ name: structural, arguments: json('tool-arguments') }),
});

const message: Members = {
  content: textOr(list(block)),
  citations: list(object({ ...citation, sources: list(source) })),
  tool_plan: text('reasoning'),
  tool_calls: list(call),
  role: structural,
  tool_call_id: structural,
};

const settings: Members = {
  model: structural,
  stream: structural,
  tools: instructions,
  strict_tools: structural,
  tool_choice: structural,
  response_format: instructions,
  stop_sequences: instructions,
  citation_options: object({ mode: structural }),
  safety_mode: structural,
  max_tokens: structural,
  temperature: structural,
  seed: structural,
  frequency_penalty: structural,
  presence_penalty: structural,
  k: structural,
  p: structural,
  logprobs: structural,
  thinking: object({ type: structural, token_budget: structural }),
  priority: structural,
};

const said = object(message);

/** One turn of the conversation: https://docs.cohere.com/reference/chat */
export const turn: Member = variants(
  'role',
  { user: said, assistant: said, system: said, developer: said, tool: object(message, 'tool-result') },
  said,
);

export const requestMembers: Members = { messages: list(turn), documents: list(document), ...settings };

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

/** An event of a stream, with one call or citation where a message has lists: https://docs.cohere.com/reference/chat-stream */
export const frame: Member = variants(
  'type',
  {
    'message-start': event({ ...named, delta: untold(delta(message)) }),
    'content-start': event({ delta: delta({ content: block }), logprobs: echo }),
    'content-delta': piece,
    'content-end': event(),
    'tool-plan-delta': event({ delta: object({ message: object({ tool_plan: text() }), tool_plan: text() }) }),
    'tool-call-start': called,
    'tool-call-delta': called,
    'tool-call-end': event(),
    // Its event has the titles of documents alone.
    'citation-start': event({
      delta: delta({ citations: object({ ...citation, sources: untold(list(source)) }) }),
    }),
    'citation-end': event(),
    'message-end': event({
      ...named,
      delta: object({ finish_reason: structural, error: echo, usage }),
    }),
    debug: event({ prompt: untold(text()) }),
  },
  object({}),
);
