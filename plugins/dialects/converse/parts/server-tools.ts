import type { ServerToolCallPart, ServerToolResultPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { objectOf, objectsOf, textOf } from '../../../../schema/json/loose.ts';

const serverToolUse = 'server_tool_use';

/** Whether Bedrock itself runs the tool that a `toolUse` calls. */
export const isServerCall = (toolUse: JsonObject): boolean => toolUse.type === serverToolUse;

export const decodeServerCall = (block: JsonObject): ServerToolCallPart => {
  const toolUse = objectOf(block.toolUse) ?? {};
  return {
    kind: 'server-tool-call',
    id: textOf(toolUse.toolUseId) ?? '',
    name: textOf(toolUse.name) ?? '',
    arguments: JSON.stringify(toolUse.input ?? {}),
    dialect: 'converse',
    value: block,
  };
};

/** The texts and the JSON of a result. */
const readable = (content: JsonObject): readonly string[] => {
  if (content.json !== undefined) return [JSON.stringify(content.json)];
  const text = textOf(content.text);
  return text === undefined ? [] : [text];
};

/** A result in a message of the model: of a tool that Bedrock ran. */
export const decodeServerResult = (block: JsonObject): ServerToolResultPart => {
  const result = objectOf(block.toolResult) ?? {};
  return {
    kind: 'server-tool-result',
    id: textOf(result.toolUseId) ?? '',
    text: objectsOf(result.content).flatMap(readable).join('\n'),
    dialect: 'converse',
    value: block,
  };
};
