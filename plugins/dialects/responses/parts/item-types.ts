import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import type { Speaker } from '../../shared/checked-texts/first-judged-turn.ts';

/** Items that a client adds to those of the model: results of its tools, approvals, instructions to the service. */
const clientTypes = /_(?:output|response|trigger|update)$|^additional_tools$/;

/** Whether an item of a conversation was made by the model. A message may have no type. */
export const isModelItem = ({ type = 'message', role }: JsonObject): boolean =>
  type === 'message' ? role === 'assistant' : !clientTypes.test(findText(type) ?? '');

/** Matches items that a client sends to the service and that are not a turn. */
const instructionTypes = /_(?:trigger|update)$|^additional_tools$/;

/** Reads the speaker of an item. An item without a type and a role refers to an item of the model. */
export const readSpeaker = ({ type, role, content }: JsonObject): Speaker => {
  if (type === 'message' || type === undefined || type === null) {
    if (role === 'assistant' || (role === undefined && content === undefined)) return 'model';
    return role === 'system' || role === 'developer' ? 'instructions' : 'user';
  }
  const name = findText(type) ?? '';
  if (instructionTypes.test(name)) return 'instructions';
  return clientTypes.test(name) ? 'user' : 'model';
};

const contentTypes = /^(?:input|output)_|^(?:text|refusal|computer_screenshot)$/;

/** Whether a value is a part of a message's content rather than an item. */
export const isContent = ({ type }: JsonObject): boolean => contentTypes.test(findText(type) ?? '');
