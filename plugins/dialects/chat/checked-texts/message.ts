import {
  again,
  all,
  facts,
  json,
  list,
  type Member,
  type Members,
  media,
  object,
  structural,
  text,
  value,
  variants,
} from '../../shared/checked-texts/members.ts';
import { content } from './parts.ts';
import { annotations, executedTools, searchContext } from './sources.ts';

/** https://platform.openai.com/docs/api-reference/chat/object#chat-object-choices-message-tool_calls */
const call = object(
  {
    function: object({ arguments: json(), name: structural, parsed_arguments: value() }),
    custom: object({ input: text(), name: structural }),
    ...all('id index type', structural),
    ...all('extra_content', facts),
  },
  'tool-arguments',
);

/** https://openrouter.ai/docs/use-cases/reasoning-tokens */
const reasoningDetails = list(
  object({ ...all('text summary', text()), ...all('type id format index data signature', structural) }, 'reasoning'),
);

/**
 * The content blocks that this gateway writes for clients that are not strict. They are the parts of the answer, whose content is
 * reported above.
 */
const contentBlocks = list(
  object({
    thinking: text('reasoning'),
    text: again(text()),
    delta: object({ thinking: text('reasoning'), text: text(), ...all('type signature data', structural) }),
    ...all('type index signature data id name', structural),
    input: again(value('tool-arguments')),
  }),
);

/** The members of a message, in the order in which its texts are read. */
export const messageMembers: Members = {
  ...all('reasoning_content reasoning', text('reasoning')),
  reasoning_details: again(reasoningDetails),
  annotations,
  context: searchContext,
  content,
  refusal: text('refusal'),
  audio: object({ transcript: text(), data: media, ...all('id expires_at format', structural) }),
  tool_calls: list(call),
  function_call: object({ arguments: json('tool-arguments'), name: structural }),
  executed_tools: executedTools,
  content_blocks: contentBlocks,
  images: list(object({ image_url: media, ...all('type index', structural) })),
  name: text('other'),
  parsed: again(value('other')),
  ...all('role tool_call_id prefix partial reasoning_signature reasoning_opaque tool_name', structural),
  ...all('cache_control extra_content citations', facts),
};

const message = object(messageMembers);
const result = object(messageMembers, 'tool-result');

/** A message of a request: https://platform.openai.com/docs/api-reference/chat/create#chat-create-messages */
export const turn: Member = variants(
  'role',
  { user: message, assistant: message, system: message, developer: message, tool: result, function: result },
  message,
);
