import { list, type Members, object, structural, text, value } from '../../shared/checked-texts/members.ts';
import { document } from './documents.ts';
import { cached } from './settings.ts';

/** The member that names who called a tool: the model, or code that runs at the provider. */
export const caller: Members = { caller: object({ type: structural, tool_id: structural }) };

const failure: Members = { error_code: structural, error_message: text() };

const files = list(object({ type: structural, file_id: structural }));

const result = (type: string, content: Members): Members => ({
  [type]: object(
    {
      type: structural,
      tool_use_id: structural,
      is_error: structural,
      content: list(object({ type: structural, ...failure, ...content })),
      ...caller,
      ...cached,
    },
    'server-tool',
  ),
});

const ran: Members = {
  stdout: text(),
  stderr: text(),
  encrypted_stdout: structural,
  return_code: structural,
  content: files,
};

/**
 * The results of tools that the provider ran itself:
 * https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/overview
 */
export const serverResults: Members = {
  ...result('web_search_tool_result', {
    title: text(),
    page_age: text(),
    url: structural,
    encrypted_content: structural,
  }),
  ...result('web_fetch_tool_result', { content: document, url: structural, retrieved_at: structural }),
  ...result('code_execution_tool_result', ran),
  ...result('bash_code_execution_tool_result', ran),
  ...result('text_editor_code_execution_tool_result', {
    content: text(),
    lines: list(text()),
    file_type: structural,
    num_lines: structural,
    start_line: structural,
    total_lines: structural,
    old_start: structural,
    old_lines: structural,
    new_start: structural,
    new_lines: structural,
    is_file_update: structural,
  }),
  ...result('tool_search_tool_result', {
    tool_references: list(object({ type: structural, tool_name: structural, ...cached })),
  }),
  ...result('advisor_tool_result', { text: text(), stop_reason: structural, encrypted_content: structural }),
  mcp_tool_listing: object({ type: structural, mcp_server_name: structural, tools: value(), ...cached }, 'server-tool'),
};
