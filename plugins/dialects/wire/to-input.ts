import type { ToolCallPart } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { parseObject } from './parse-json.ts';

/**
 * The arguments of a call for a format in which they are an object. Text that is not an object is kept in a member of its
 * own.
 */
export const toInput = (text: string): JsonObject =>
  parseObject(text) ?? (text.trim() === '' ? {} : { arguments: text });

/** The same of any call: the text for a custom tool is a member, whatever it looks like. */
export const callInput = ({ arguments: text, input }: Pick<ToolCallPart, 'arguments' | 'input'>): JsonObject =>
  input === 'text' ? { input: text } : toInput(text);
