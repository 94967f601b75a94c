import type { Conversation, Turn } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { present } from '../wire/present.ts';
import { type EncodeContext, encodePart } from './encode-content.ts';

interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: readonly JsonObject[];
  /** The role of its first turn. */
  readonly from: Turn['role'];
}

const isResult = (block: JsonObject): boolean => block.type === 'tool_result';

/** The API requires results before anything else in a user's message. */
const resultsFirst = (content: readonly JsonObject[]): readonly JsonObject[] => [
  ...content.filter(isResult),
  ...content.filter((block) => !isResult(block)),
];

const encodeTurn = (turn: Turn, path: string, context: EncodeContext): Message => {
  const { lost } = context;
  if (turn.name !== undefined) lost.push(`${path}.name`);
  const blocks = present(turn.parts.map((part, index) => encodePart(part, `${path}.parts[${index}]`, context)));
  const results = blocks.filter(isResult).length;
  // When read back, results are a tool turn, and all else is a turn of the user or the model.
  if (turn.role === 'tool' ? results < blocks.length : results > 0) lost.push(path);
  if (turn.role === 'assistant') return { role: 'assistant', content: blocks, from: turn.role };
  return { role: 'user', content: resultsFirst(blocks), from: turn.role };
};

/**
 * The turns as the API requires them: the roles alternate, so consecutive turns of one side become one message, and a
 * turn without content is omitted.
 */
export const encodeMessages = ({ turns }: Conversation, context: EncodeContext): readonly JsonObject[] => {
  const { lost } = context;
  const messages: Message[] = [];
  turns.forEach((turn, index) => {
    const path = `turns[${index}]`;
    const message = encodeTurn(turn, path, context);
    if (message.content.length === 0) {
      lost.push(path);
      return;
    }
    const last = messages.at(-1);
    if (last?.role !== message.role) {
      messages.push(message);
      return;
    }
    if (last.from !== 'tool' || turn.role === 'tool' || last.content.some((block) => !isResult(block))) lost.push(path);
    messages[messages.length - 1] = { ...last, content: resultsFirst([...last.content, ...message.content]) };
  });
  return messages.map(({ role, content }) => ({ role, content }));
};
