import type { AnswerChoice } from '../../../../schema/conversation/answer.ts';
import type { Conversation, Part, Tool, ToolCallPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { customArguments, customParameters } from '../../../dialects/wire/request/custom-tool.ts';

/** The texts of a part; calls of tools and media have none. */
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
    throw new Error(`The arguments of a call of "${name}" are not a JSON object, so that Qualifire cannot judge them.`);
  return read;
};

const toCall = (call: ToolCallPart): JsonObject => ({
  ...(call.id !== '' && { id: call.id }),
  name: call.name,
  arguments: toArguments(call),
});

/** None of a turn that neither says nor calls anything. */
const toMessages = (role: string, parts: readonly Part[]): readonly JsonObject[] => {
  const content = parts.flatMap(saidIn).join('\n');
  const calls = parts.filter((part) => part.kind === 'tool-call').map(toCall);
  if (content === '' && calls.length === 0) return [];
  return [{ role, content, ...(calls.length > 0 && { tool_calls: calls }) }];
};

/** The results of tools are turns of their own, also where a dialect writes them as turns of the user. */
const toRole = (role: string, parts: readonly Part[]): string =>
  parts.some(({ kind }) => kind === 'tool-result') ? 'tool' : role;

/** A conversation and one choice of its answer, as messages. Throws an `Error` where the arguments of a call cannot be read. */
export const conversationMessages = (
  { system, turns }: Conversation,
  choice: Pick<AnswerChoice, 'parts'>,
): readonly JsonObject[] => [
  ...toMessages('system', system),
  ...turns.flatMap(({ role, parts }) => toMessages(toRole(role, parts), parts)),
  ...toMessages('assistant', choice.parts),
];

/** The tools that the model could call, without those that its provider runs itself. */
export const availableTools = (tools: readonly Tool[]): readonly JsonObject[] =>
  tools.flatMap((tool) => {
    if (tool.kind === 'other') return [];
    const { name, description = '' } = tool;
    const parameters = tool.kind === 'custom' ? customParameters : (tool.parameters ?? { type: 'object' });
    return [{ name, description, parameters }];
  });
