import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { countDialect } from '../counts/count-dialect.ts';
import { messagesDeclaration } from '../counts/declarations.ts';
import { toCountedDialect } from '../counts/to-counted-dialect.ts';
import { messages } from '../messages/messages.ts';
import { all, facts, object, structural } from '../shared/checked-texts/members.ts';

const counted = toCountedDialect(messages);

/** https://docs.anthropic.com/en/api/messages-count-tokens */
const acceptedMembers: ReadonlySet<string> = new Set([
  ...['cache_control', 'context_management', 'mcp_servers', 'messages', 'model', 'output_config', 'output_format'],
  ...['speed', 'system', 'thinking', 'tool_choice', 'tools'],
]);

/** Token counts for Anthropic's messages: https://docs.anthropic.com/en/api/messages-count-tokens */
export const messagesCount: Dialect = countDialect({
  declaration: messagesDeclaration,
  counted,
  acceptedMembers,
  members: {
    request: counted.members.request,
    answer: object({ ...all('input_tokens', structural), ...all('context_management', facts) }),
  },
  tokens: 'input_tokens',
});
