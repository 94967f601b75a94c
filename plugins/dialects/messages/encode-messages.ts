import type { Conversation, Turn } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import type { Lost } from '../wire/lost.ts';
import { present } from '../wire/present.ts';
import { type ContentContext, encodePart } from './encode-content.ts';
import { isInPlace } from './instructions.ts';

interface Message {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: readonly JsonObject[];
  /** The role of its first turn. */
  readonly from: Turn['role'];
  readonly path: string;
}

/** The messages, and the instructions before the first of them, which are part of the system prompt. */
export interface EncodedMessages {
  readonly prompt: readonly JsonObject[];
  readonly messages: readonly JsonObject[];
}

const isResult = (block: JsonObject): boolean => block.type === 'tool_result';

/** The API requires results before anything else in a user's message. */
const resultsFirst = (content: readonly JsonObject[]): readonly JsonObject[] => [
  ...content.filter(isResult),
  ...content.filter((block) => !isResult(block)),
];

const roles: Readonly<Record<Turn['role'], Message['role']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'user',
};

const encodeTurn = (turn: Turn, path: string, context: ContentContext): Message => {
  const { lost } = context;
  for (const member of ['name', 'id', 'phase'] as const) if (turn[member] !== undefined) lost.push(`${path}.${member}`);
  const content = present(turn.parts.map((part, index) => encodePart(part, `${path}.parts[${index}]`, context)));
  const results = content.filter(isResult).length;
  // When read back, results are a tool turn, and all else is a turn of the user or the model.
  if (turn.role === 'tool' ? results < content.length : results > 0) lost.push(path);
  return { role: roles[turn.role], content: resultsFirst(content), from: turn.role, path };
};

/** Where a message is: the one that is written before it, and all that come after it. */
interface Surroundings {
  readonly model: string | undefined;
  readonly before: Message | undefined;
  readonly after: () => readonly Message[];
}

/** Instructions keep their role where the model takes them, and are otherwise said by the user. */
const withRole = (message: Message, { model, before, after }: Surroundings, lost: Lost): Message => {
  if (message.role !== 'system') return message;
  const next = after().find(({ role }) => role !== 'system');
  const isText = message.content.every(({ type }) => type === 'text');
  const isPlaced = before?.role === 'system' || isInPlace({ model, before: before?.role, after: next?.role });
  const isKept = isText && isPlaced;
  if (!isKept || message.from === 'developer') lost.push(`${message.path}.role`);
  return isKept ? message : { ...message, role: 'user' };
};

/** Consecutive messages of one role are one; only a question after results is still a turn of its own when read back. */
const merge = (last: Message, message: Message, lost: Lost): Message => {
  const isOwnTurn = last.from === 'tool' && message.from === 'user' && last.content.every(isResult);
  if (!isOwnTurn) lost.push(message.path);
  return { ...last, content: resultsFirst([...last.content, ...message.content]) };
};

/**
 * The turns as the API requires them: the roles alternate, so consecutive turns of one side become one message, and a
 * turn without content is omitted.
 */
export const encodeMessages = ({ model, turns }: Conversation, context: ContentContext): EncodedMessages => {
  const { lost } = context;
  const encoded = turns.map((turn, index) => encodeTurn(turn, `turns[${index}]`, context));
  for (const { content, path } of encoded) if (content.length === 0) lost.push(path);
  const said = encoded.filter(({ content }) => content.length > 0);
  const first = said.findIndex(({ role }) => role !== 'system');
  // A request without a message is rejected, so instructions alone are said by the user.
  const prompt = said.slice(0, Math.max(first, 0));
  if (prompt.length > 0) lost.push('system', ...prompt.map(({ path }) => path));
  const messages: Message[] = [];
  const rest = said.slice(prompt.length);
  rest.forEach((each, index) => {
    const before = messages.at(-1);
    const message = withRole(each, { model, before, after: () => rest.slice(index + 1) }, lost);
    if (before?.role !== message.role) messages.push(message);
    else messages[messages.length - 1] = merge(before, message, lost);
  });
  return {
    prompt: prompt.flatMap(({ content }) => content),
    messages: messages.map(({ role, content }) => ({ role, content })),
  };
};
