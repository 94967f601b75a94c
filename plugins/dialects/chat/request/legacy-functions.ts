import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findText } from '../../../../schema/json/loose.ts';
import { keepSources } from '../../../../schema/json/number-sources.ts';

const asTools = (functions: Json | undefined): Json | undefined =>
  findItems(functions)?.map((definition) => ({ type: 'function', function: definition }));

const asToolChoice = (choice: Json | undefined): Json | undefined =>
  isJsonObject(choice) ? { type: 'function', function: choice } : choice;

/**
 * Converts calls and results of functions to those of tools. A function's result has no id, so it belongs to the call before it.
 */
const asToolMessages = (messages: readonly Json[]): readonly Json[] => {
  let calls = 0;
  return messages.map((message) => {
    if (!isJsonObject(message)) return message;
    if (isJsonObject(message.function_call)) {
      calls += 1;
      const { function_call: call, ...rest } = message;
      return { ...rest, tool_calls: [{ id: `gw-function-${calls}`, type: 'function', function: call }] };
    }
    if (message.role !== 'function') return message;
    return { role: 'tool', tool_call_id: `gw-function-${calls}`, content: findText(message.content) ?? '' };
  });
};

/**
 * Rewrites a request with `functions`, `function_call` and the role `function`, which OpenAI deprecated in favour of tools, to
 * use tools: https://platform.openai.com/docs/api-reference/chat/create#chat-create-functions
 */
export const withoutLegacyFunctions = (wire: JsonObject): JsonObject => {
  const { functions, function_call, messages, ...rest } = wire;
  const tools = wire.tools ?? asTools(functions);
  const choice = wire.tool_choice ?? asToolChoice(function_call);
  const history = findItems(messages);
  const rewritten = {
    ...rest,
    ...(tools === undefined ? {} : { tools }),
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(messages === undefined ? {} : { messages: history === undefined ? messages : asToolMessages(history) }),
  };
  return keepSources(rewritten, wire);
};
