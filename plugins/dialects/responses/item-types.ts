import type { JsonObject } from '../../../schema/json.ts';
import { textOf } from '../../../schema/loose.ts';

/** Items that a client adds to what the model made: results of its tools, approvals, instructions to the service. */
const clientTypes = /_(?:output|response|trigger|update)$|^additional_tools$/;

/** Whether an item of a conversation was made by the model. A message may have no type. */
export const isModelItem = ({ type = 'message', role }: JsonObject): boolean =>
  type === 'message' ? role === 'assistant' : !clientTypes.test(textOf(type) ?? '');

const contentTypes = /^(?:input|output)_|^(?:text|refusal|computer_screenshot)$/;

/** Whether a value is a part of a message's content, and not an item of its own. */
export const isContent = ({ type }: JsonObject): boolean => contentTypes.test(textOf(type) ?? '');
