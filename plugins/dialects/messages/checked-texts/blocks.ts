import {
  instructions,
  lazy,
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
import { document, searchResult } from './documents.ts';
import { parts, textBlock } from './parts.ts';
import { caller, serverResults } from './server-results.ts';
import { cached } from './settings.ts';

const content = textOr(list(lazy(() => block)));

/** The members of a browser's state in a tool's result. */
const browserState = object({
  tabs: list(object({ title: text(), tab_id: structural, url: structural, active: structural })),
  state_changes: list(
    object({
      error: text(),
      type: structural,
      tab_id: structural,
      download_id: structural,
      url: structural,
      path: structural,
      size_bytes: structural,
    }),
  ),
  type: structural,
  ...cached,
});

const call: Members = { type: structural, id: structural, name: structural, ...caller, ...cached };

/** Tools that the application adds or removes. */
const toolChange = object({ type: structural, tool: instructions, ...cached });

const compaction = object({
  content: text(),
  type: structural,
  encrypted_content: structural,
  signature: structural,
  tool_changes: list(toolChange),
  ...cached,
});

const model = object({ model: structural });

/** Blocks by type, in requests and answers: https://docs.anthropic.com/en/api/messages */
const blocks: Members = {
  ...parts,
  thinking: object({ thinking: text('reasoning'), type: structural, signature: structural }),
  redacted_thinking: object({ type: structural, data: structural }),
  tool_use: object({ ...call, toolset_name: structural, input: value('tool-arguments') }),
  tool_result: object(
    {
      content,
      type: structural,
      tool_use_id: structural,
      is_error: structural,
      toolset_name: structural,
      ...cached,
    },
    'tool-result',
  ),
  server_tool_use: object({ ...call, input: value('server-tool') }),
  mcp_tool_use: object({ ...call, server_name: structural, input: value('server-tool') }),
  mcp_tool_result: object(
    { content, type: structural, tool_use_id: structural, is_error: structural, ...cached },
    'server-tool',
  ),
  ...serverResults,
  document,
  search_result: searchResult,
  tool_reference: object({ type: structural, tool_name: structural, ...cached }),
  browser_state: browserState,
  container_upload: object({ type: structural, file_id: media, ...cached }),
  compaction,
  tool_addition: toolChange,
  tool_removal: toolChange,
  fallback: object({
    type: structural,
    from: model,
    to: model,
    trigger: object({ type: structural, category: structural }),
  }),
};

/** One block of a message's content. A block without a type is read as a text. */
export const block: Member = variants('type', blocks, textBlock);
