import type { ToolCallPart } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { customArguments, customInput } from '../wire/custom-tool.ts';
import { toInput } from '../wire/to-input.ts';

type CallInput = Pick<ToolCallPart, 'arguments' | 'input'>;

/** The arguments of a call, which are an object in this format. */
export const encodeInput = ({ arguments: text, input }: CallInput): JsonObject =>
  input === 'text' ? customArguments(text) : toInput(text);

/** The same as a conversation has them: of a custom tool, as plain text. */
export const decodeInput = (args: JsonObject | undefined): CallInput => {
  const text = customInput(args);
  return text === undefined ? { arguments: JSON.stringify(args ?? {}) } : { arguments: text, input: 'text' };
};
