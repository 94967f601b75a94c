import type { Conversation, Turn } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { append } from '../../shared/json/append.ts';
import { present } from '../../shared/json/present.ts';
import { type Lost, recordLosses } from '../../shared/request/lost.ts';
import { type ContentContext, encodePart } from './encode-content.ts';

/**
 * The models that accept later instructions as messages of the role `system`. Others reject them:
 * https://docs.anthropic.com/en/docs/build-with-claude/mid-conversation-system-messages
 */
const instructedModel = /claude-(?:opus-(?:4-8|5)|(?:fable|mythos)-5)/;

/** The role of a message to place, and the roles of the messages around it. */
interface Placing {
  readonly model: string | undefined;
  readonly before: string | undefined;
  /** The role of the first message after it that is not an instruction. */
  readonly after: string | undefined;
}

/** Whether a message of the system is allowed here: after the user's message, and last or before the model's. */
const isInPlace = ({ model = '', before, after }: Placing): boolean =>
  instructedModel.test(model) && before === 'user' && (after === undefined || after === 'assistant');

/** A message that grows with each turn of its role. */
interface Message {
  readonly role: 'user' | 'assistant' | 'system';
  /** The results of tools, which the API requires before anything else. */
  readonly results: JsonObject[];
  readonly others: JsonObject[];
  /** The role of its first turn. */
  readonly from: Turn['role'];
  readonly path: string;
}

/** The messages, and the instructions before the first message, which are part of the system prompt. */
export interface EncodedMessages {
  readonly prompt: readonly JsonObject[];
  readonly messages: readonly JsonObject[];
}

const isResult = (block: JsonObject): boolean => block.type === 'tool_result';

const isEmpty = ({ results, others }: Message): boolean => results.length + others.length === 0;

const roles: Readonly<Record<Turn['role'], Message['role']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'user',
};

const encodeTurn = (turn: Turn, path: string, context: ContentContext): Message => {
  const { lost } = context;
  recordLosses(turn, ['name', 'id', 'phase'], { path, lost });
  const content = present(turn.parts.map((part, index) => encodePart(part, `${path}.parts[${index}]`, context)));
  const results = content.filter(isResult);
  // When read back, results are a tool turn, and everything else is a turn of the user or the model.
  if (turn.role === 'tool' ? results.length < content.length : results.length > 0) lost.push(path);
  const others = content.filter((block) => !isResult(block));
  return { role: roles[turn.role], results, others, from: turn.role, path };
};

/** The position of a message: the message written before it, and the role of the first later one that is not an instruction. */
interface Surroundings {
  readonly model: string | undefined;
  readonly before: Message | undefined;
  readonly after: Message['role'] | undefined;
}

/** Instructions keep their role if the model accepts it. Otherwise they become a message of the user. */
const withRole = (message: Message, { model, before, after }: Surroundings, lost: Lost): Message => {
  if (message.role !== 'system') return message;
  const isText = message.results.length === 0 && message.others.every(({ type }) => type === 'text');
  const isPlaced = before?.role === 'system' || isInPlace({ model, before: before?.role, after });
  const isKept = isText && isPlaced;
  if (!isKept || message.from === 'developer') lost.push(`${message.path}.role`);
  return isKept ? message : { ...message, role: 'user' };
};

/** Merges consecutive messages of one role. Only a question after results is still a separate turn when read back. */
const merge = (last: Message, message: Message, lost: Lost): void => {
  const isOwnTurn = last.from === 'tool' && message.from === 'user' && last.others.length === 0;
  if (!isOwnTurn) lost.push(message.path);
  append(last.results, message.results);
  append(last.others, message.others);
};

/** Returns, for each message, the role of the first later message that is not an instruction. */
const rolesAfter = (messages: readonly Message[]): readonly (Message['role'] | undefined)[] => {
  let next: Message['role'] | undefined;
  const after = messages.toReversed().map(({ role }) => {
    const known = next;
    if (role !== 'system') next = role;
    return known;
  });
  return after.reverse();
};

/**
 * Encodes the turns as the API requires them: roles alternate, so consecutive turns of one side become one message, and a turn
 * without content is omitted.
 */
export const encodeMessages = ({ model, turns }: Conversation, context: ContentContext): EncodedMessages => {
  const { lost } = context;
  const encoded = turns.map((turn, index) => encodeTurn(turn, `turns[${index}]`, context));
  for (const message of encoded) if (isEmpty(message)) lost.push(message.path);
  const said = encoded.filter((message) => !isEmpty(message));
  const first = said.findIndex(({ role }) => role !== 'system');
  // A request without a message is rejected, so if there are only instructions, they become a message of the user.
  const prompt = said.slice(0, Math.max(first, 0));
  if (prompt.length > 0) append(lost, ['system', ...prompt.map(({ path }) => path)]);
  const messages: Message[] = [];
  const rest = said.slice(prompt.length);
  const after = rolesAfter(rest);
  rest.forEach((each, index) => {
    const before = messages.at(-1);
    const message = withRole(each, { model, before, after: after[index] }, lost);
    if (before?.role !== message.role) messages.push(message);
    else merge(before, message, lost);
  });
  return {
    prompt: prompt.flatMap(({ results, others }) => [...results, ...others]),
    messages: messages.map(({ role, results, others }) => ({ role, content: [...results, ...others] })),
  };
};
