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
      const { extra_content, ...called } = call;
      const extra = extra_content === undefined ? {} : { extra_content };
      return { ...rest, tool_calls: [{ id: `gw-function-${calls}`, type: 'function', function: called, ...extra }] };
    }
    if (message.role !== 'function') return message;
    return { role: 'tool', tool_call_id: `gw-function-${calls}`, content: findText(message.content) ?? '' };
  });
};

/** Whether a request has `functions` instead of tools, so that its client expects calls in `function_call`. */
export const usesLegacyFunctions = (wire: JsonObject | undefined): boolean =>
  wire !== undefined && wire.tools === undefined && findItems(wire.functions) !== undefined;

/** An answer has one `function_call` at most. */
const asSingleCall = (wire: JsonObject): JsonObject => {
  const isSingle = usesLegacyFunctions(wire) && wire.function_call !== 'none' && wire.parallel_tool_calls === undefined;
  return isSingle ? { parallel_tool_calls: false } : {};
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
    ...asSingleCall(wire),
    ...(tools === undefined ? {} : { tools }),
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(messages === undefined ? {} : { messages: history === undefined ? messages : asToolMessages(history) }),
  };
  return keepSources(rewritten, wire);
};
