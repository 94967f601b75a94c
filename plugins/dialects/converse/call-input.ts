import type { ToolCallPart } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { customArguments } from '../wire/custom-tool.ts';
import { toInput } from '../wire/to-input.ts';

/** The input of a call, which is an object: that of a custom tool's call is a member of it. */
export const callInput = ({ arguments: text, input }: Pick<ToolCallPart, 'arguments' | 'input'>): JsonObject =>
  input === 'text' ? customArguments(text) : toInput(text);
