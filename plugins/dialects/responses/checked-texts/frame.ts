import {
  all,
  echo,
  facts,
  json,
  list,
  type Member,
  type Members,
  object,
  structural,
  text,
  textOr,
  unreported,
  value,
  variants,
} from '../../shared/checked-texts/members.ts';
import { answer } from './answer.ts';
import { item } from './items.ts';
import { annotation, contentPart } from './parts.ts';

/** The padding hides the length of a delta. */
const common: Members = {
  ...all(
    `type sequence_number item_id output_index content_index summary_index annotation_index command_index
    partial_image_index response_id event_id`,
    structural,
  ),
  ...all('obfuscation logprobs', echo),
  agent: facts,
};

const event = (members: Members = {}): Member => object({ ...members, ...common });

const events = (types: string, members: Members = {}): Members => all(types, event(members));

const delta: Members = { delta: text() };

/**
 * The events of a stream: https://platform.openai.com/docs/api-reference/responses-streaming. The texts that `.done` events and
 * the last event repeat are compared with those that were reported. For a server's tool, the end of its item reports everything.
 */
export const frame: Member = variants(
  'type',
  {
    // These announce the output, and no event reports what they contain of it.
    ...events('response.created response.queued response.in_progress', { response: unreported(answer) }),
    ...events('response.completed response.incomplete', { response: answer }),
    ...events('response.failed', { response: echo }),
    ...events('response.output_item.added', { item: unreported(item) }),
    ...events('response.output_item.done', { item }),
    ...events('response.content_part.added response.content_part.done', { part: contentPart }),
    ...events('response.reasoning_summary_part.added response.reasoning_summary_part.done', {
      part: contentPart,
      status: structural,
    }),
    ...events(
      `response.output_text.delta response.refusal.delta response.reasoning_text.delta
      response.reasoning_summary_text.delta response.function_call_arguments.delta
      response.custom_tool_call_input.delta response.audio.transcript.delta response.output_audio_transcript.delta`,
      delta,
    ),
    ...events('response.output_text.done response.reasoning_text.done response.reasoning_summary_text.done', {
      text: text(),
    }),
    ...events('response.refusal.done', { refusal: text() }),
    ...events('response.audio.transcript.done response.output_audio_transcript.done', { transcript: text() }),
    ...events('response.output_text.annotation.added', { annotation }),
    ...events('response.function_call_arguments.done', { arguments: json(), name: structural }),
    ...events('response.custom_tool_call_input.done', { input: text() }),
    ...events('response.mcp_call_arguments.delta', delta),
    ...events('response.mcp_call_arguments.done', { arguments: json() }),
    ...events('response.code_interpreter_call_code.delta', delta),
    ...events('response.code_interpreter_call_code.done', { code: text() }),
    ...events('response.shell_call_command.added response.shell_call_command.done', { command: text() }),
    ...events('response.shell_call_command.delta', delta),
    ...events('response.shell_call_output_content.delta', {
      delta: textOr(object(all('stdout stderr', text()))),
    }),
    ...events('response.shell_call_output_content.done', {
      output: list(object({ ...all('stdout stderr', text()), outcome: facts, created_by: structural })),
    }),
    ...events('response.audio.delta response.output_audio.delta', { delta: echo }),
    ...events('response.image_generation_call.partial_image', {
      partial_image_b64: echo,
      ...all('background output_format quality size', structural),
    }),
    ...events(
      `response.audio.done response.output_audio.done response.code_interpreter_call.in_progress
      response.code_interpreter_call.interpreting response.code_interpreter_call.completed
      response.file_search_call.in_progress response.file_search_call.searching response.file_search_call.completed
      response.web_search_call.in_progress response.web_search_call.searching response.web_search_call.completed
      response.image_generation_call.in_progress response.image_generation_call.generating
      response.image_generation_call.completed response.mcp_call.in_progress response.mcp_call.completed
      response.mcp_call.failed response.mcp_list_tools.in_progress response.mcp_list_tools.completed
      response.mcp_list_tools.failed response.compaction.compacting keepalive ping`,
    ),
    ...events('error', { ...all('message code param error', echo) }),
  },
  event({ error: echo, message: unreported(value()), code: structural }),
);
