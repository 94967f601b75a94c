import type { AnswerChoice } from '../../../../schema/conversation/answer.ts';
import type { Conversation, Part, Tool, ToolCallPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { customArguments, customParameters } from '../../../dialects/shared/request/custom-tool.ts';

/** Returns the texts of a part. Tool calls and media have none. */
const saidIn = (part: Part): readonly string[] => {
  switch (part.kind) {
    case 'text':
    case 'refusal':
    case 'server-tool-result':
      return [part.text];
    case 'json':
      return [JSON.stringify(part.value)];
    case 'tool-result':
      return part.parts.flatMap(saidIn);
    default:
      return [];
  }
};

const toArguments = ({ name, arguments: written, input }: ToolCallPart): JsonObject => {
  if (input === 'text') return customArguments(written);
  const read = written.trim() === '' ? {} : parseObject(written);
  if (read === undefined)
    throw new Error(`The arguments of a call of "${name}" are not a JSON object, so Qualifire cannot judge them.`);
  return read;
};

const toCall = (call: ToolCallPart): JsonObject => ({
  ...(call.id !== '' && { id: call.id }),
  name: call.name,
  arguments: toArguments(call),
});

/** Returns no message for a turn without text and calls. */
const toMessages = (role: string, parts: readonly Part[]): readonly JsonObject[] => {
  const content = parts.flatMap(saidIn).join('\n');
  const calls = parts.filter((part) => part.kind === 'tool-call').map(toCall);
  if (content === '' && calls.length === 0) return [];
  return [{ role, content, ...(calls.length > 0 && { tool_calls: calls }) }];
};

/** Results of tools are separate turns, even if a dialect writes them as user turns. */
const toRole = (role: string, parts: readonly Part[]): string =>
  parts.some(({ kind }) => kind === 'tool-result') ? 'tool' : role;

/**
 * Returns a conversation and one choice of its answer as messages. Throws an `Error` if the arguments of a call cannot be parsed.
 */
export const conversationMessages = (
  { system, turns }: Conversation,
  choice: Pick<AnswerChoice, 'parts'>,
): readonly JsonObject[] => [
  ...toMessages('system', system),
  ...turns.flatMap(({ role, parts }) => toMessages(toRole(role, parts), parts)),
  ...toMessages('assistant', choice.parts),
];

/** Returns the tools that the model could call, except those that its provider runs itself. */
export const availableTools = (tools: readonly Tool[]): readonly JsonObject[] =>
  tools.flatMap((tool) => {
    if (tool.kind === 'other') return [];
    const { name, description = '' } = tool;
    const parameters = tool.kind === 'custom' ? customParameters : (tool.parameters ?? { type: 'object' });
    return [{ name, description, parameters }];
  });
