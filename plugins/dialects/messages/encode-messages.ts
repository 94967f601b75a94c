import type { Conversation } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { alternateTurns } from '../wire/alternate-turns.ts';
import { present } from '../wire/present.ts';
import { type EncodeContext, encodePart } from './encode-content.ts';

/** The turns as the API requires them. */
export const encodeMessages = ({ turns }: Conversation, context: EncodeContext): readonly JsonObject[] => {
  const { lost } = context;
  turns.forEach(({ name }, index) => {
    if (name !== undefined) lost.push(`turns[${index}].name`);
  });
  const messages = alternateTurns(turns, {
    lost,
    encode: (part, path) => present([encodePart(part, path, context)]),
    isResult: (block) => block.type === 'tool_result',
  });
  return messages.map(({ role, content }) => ({ role, content }));
};
