import type { ToolCallPart } from '../../../../schema/conversation/conversation.ts';
import { exactText, withExactNumbers } from '../../../../schema/json/exact-numbers.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { parseExactObject } from '../../../../schema/json/parse-json.ts';
import { defined } from '../json/defined.ts';
import { customArguments, customInput } from './custom-tool.ts';

/** Returns the input of a call for a format in which it is an object. Text that is not an object goes into a separate member. */
export const toInput = ({ arguments: text, input }: Pick<ToolCallPart, 'arguments' | 'input'>): JsonObject => {
  if (input === 'text') return customArguments(text);
  const object = parseExactObject(text);
  if (object !== undefined) return withExactNumbers(object);
  return text.trim() === '' ? {} : { arguments: text };
};

/** Decodes the arguments of a call whose input is an object. It may stand for the input of a custom tool. */
export const decodeInput = (input: JsonObject | undefined): Pick<ToolCallPart, 'arguments' | 'input'> => {
  const text = customInput(input);
  return defined({
    arguments: text ?? exactText(input ?? {}),
    input: text === undefined ? undefined : ('text' as const),
  });
};
