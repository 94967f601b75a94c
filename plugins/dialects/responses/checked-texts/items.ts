import {
  all,
  facts,
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
  value,
  variants,
} from '../../shared/checked-texts/members.ts';
import { contentPart } from './parts.ts';

const common: Members = {
  ...all('type id call_id status created_by namespace', structural),
  ...all('agent caller cache_control', facts),
};

const content = textOr(list(contentPart));

const message = object({ content, ...common, ...all('role phase name', structural) });

const call = (members: Members): Member =>
  object({ ...members, ...common, ...all('name async', structural) }, 'tool-arguments');

const result = (members: Members): Member => object({ ...members, ...common }, 'tool-result');

/** A call of one of the provider's own tools. */
const serverCall = (members: Members): Member => object({ ...members, ...common }, 'server-tool');

const checked = list(object({ message: text(), ...all('id code', structural) }));

const outputOfCode = object({ logs: text(), type: structural });

/** Items that are calls of any tool: https://platform.openai.com/docs/api-reference/responses/create#responses-create-input */
const calls: Members = {
  function_call: call({ arguments: json() }),
  custom_tool_call: call({ input: text() }),
  web_search_call: serverCall({ action: value() }),
  file_search_call: serverCall({ queries: value(), results: value() }),
  code_interpreter_call: serverCall({
    code: text(),
    outputs: list(
      variants('type', { image: object({ url: media, type: structural }), logs: outputOfCode }, outputOfCode),
    ),
    container_id: structural,
  }),
  image_generation_call: serverCall({
    revised_prompt: text(),
    result: media,
    error: value(),
    svg_usage: facts,
    ...all('action background output_format quality size', structural),
  }),
  mcp_call: serverCall({
    ...all('name server_label', text()),
    arguments: json(),
    output: json(),
    error: value(),
    approval_request_id: structural,
  }),
  mcp_list_tools: serverCall({ server_label: text(), tools: value(), error: value() }),
  mcp_approval_request: serverCall({ ...all('name server_label', text()), arguments: json() }),
  computer_call: serverCall({ ...all('action actions', value()), pending_safety_checks: checked }),
  local_shell_call: serverCall({ action: value() }),
  shell_call: serverCall({ action: value(), environment: facts }),
  apply_patch_call: serverCall({ operation: value() }),
  tool_search_call: serverCall({ arguments: json(), execution: structural }),
  program: serverCall({ code: text(), fingerprint: structural }),
  multi_agent_call: serverCall({ arguments: json(), action: structural }),
};

/** The results of tools, and the client's replies to them. */
const results: Members = {
  function_call_output: result({ output: content, name: structural }),
  custom_tool_call_output: result({ output: content, name: structural }),
  computer_call_output: result({
    output: object({ image_url: media, ...all('type file_id', structural) }),
    acknowledged_safety_checks: checked,
  }),
  local_shell_call_output: result({ output: value() }),
  shell_call_output: result({
    output: textOr(list(object({ ...all('stdout stderr', text()), outcome: facts, created_by: structural }))),
    max_output_length: structural,
  }),
  apply_patch_call_output: result({ output: value() }),
  tool_search_output: result({ tools: instructions, execution: structural }),
  program_output: result({ result: value() }),
  multi_agent_call_output: serverCall({ output: content, action: structural }),
  mcp_approval_response: object({ reason: text(), ...all('approval_request_id approve', structural), ...common }),
};

/** An item of a request's input or of an answer's output. A message, and a reference to an item, may have no type. */
export const item: Member = variants(
  'type',
  {
    message,
    agent_message: object({ content, ...common, ...all('author recipient', structural) }),
    ...calls,
    ...results,
    reasoning: object({ summary: content, content, encrypted_content: structural, ...common }, 'reasoning'),
    compaction: object({ encrypted_content: structural, ...common }),
    compaction_trigger: object(common),
    item_reference: object(common),
    configuration_update: object({ text: instructions, reasoning: facts, ...common }),
    additional_tools: object({ tools: instructions, role: structural, ...common }),
  },
  message,
);
