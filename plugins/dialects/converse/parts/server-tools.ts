import type { ServerToolCallPart, ServerToolResultPart } from '../../../../schema/conversation/conversation.ts';
import { exactlyAt, exactText } from '../../../../schema/json/exact-numbers.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';

const serverToolUse = 'server_tool_use';

/** Whether Bedrock itself runs the tool that a `toolUse` calls. */
export const isServerCall = (toolUse: JsonObject): boolean => toolUse.type === serverToolUse;

export const decodeServerCall = (block: JsonObject): ServerToolCallPart => {
  const toolUse = findObject(block.toolUse) ?? {};
  return {
    kind: 'server-tool-call',
    id: findText(toolUse.toolUseId) ?? '',
    name: findText(toolUse.name) ?? '',
    arguments: exactText(toolUse.input ?? {}),
    dialect: 'converse',
    value: block,
  };
};

/** Returns the texts and the JSON of a result. */
const readable = (content: JsonObject): readonly string[] => {
  const json = exactlyAt(content, 'json');
  if (json !== undefined) return [JSON.stringify(json)];
  const text = findText(content.text);
  return text === undefined ? [] : [text];
};

/** Decodes a result in a message of the model, which comes from a tool that Bedrock ran. */
export const decodeServerResult = (block: JsonObject): ServerToolResultPart => {
  const result = findObject(block.toolResult) ?? {};
  return {
    kind: 'server-tool-result',
    id: findText(result.toolUseId) ?? '',
    text: toObjects(result.content).flatMap(readable).join('\n'),
    dialect: 'converse',
    value: block,
  };
};
