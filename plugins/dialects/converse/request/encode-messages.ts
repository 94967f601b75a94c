import type { Conversation } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { isInstruction, leadingInstructions } from '../../wire/request/leading-instructions.ts';
import type { Lost } from '../../wire/request/lost.ts';
import { alternateTurns, type SideMessage } from './alternate-turns.ts';
import { type ContentContext, encodePart } from './encode-content.ts';

const isDocument = (block: JsonObject): boolean => block.document !== undefined;
const isText = (block: JsonObject): boolean => block.text !== undefined;

/** The API rejects documents without a text beside them. */
const withText = ({ role, content }: SideMessage, lost: Lost): JsonObject => {
  if (!content.some(isDocument) || content.some(isText)) return { role, content };
  lost.push('turns.documents');
  return { role, content: [...content, { text: 'See the document.' }] };
};

/** The turns after the first instructions, as the API requires them. Instructions further on are texts of the user's side. */
export const encodeMessages = ({ turns }: Conversation, context: ContentContext): readonly JsonObject[] => {
  const { lost } = context;
  const from = leadingInstructions(turns);
  turns.forEach((turn, index) => {
    const { name, id, phase } = turn;
    const path = `turns[${index}]`;
    if (index >= from && isInstruction(turn)) lost.push(`${path}.role`);
    for (const [member, value] of Object.entries({ name, id, phase }))
      if (value !== undefined) lost.push(`${path}.${member}`);
  });
  const messages = alternateTurns(turns, {
    lost,
    from,
    encode: (part, path, turn) => encodePart(part, path, turn, context),
    isResult: (block) => block.toolResult !== undefined,
  });
  return messages.map((message) => withText(message, lost));
};
