import type { Conversation, Part, Turn } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { append } from '../../shared/json/append.ts';
import { isInstruction, leadingInstructions } from '../../shared/request/leading-instructions.ts';
import type { Lost } from '../../shared/request/lost.ts';
import { type ContentContext, encodePart } from './encode-content.ts';

/** The content blocks of one part; empty if the format cannot express it. */
type PartBlocks = readonly JsonObject[];

/** One message of a format in which the user's side and the model's side alternate. */
interface SideMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly JsonObject[];
}

/** How a format writes the parts of a turn, and which of these are results of tools. */
interface SideFormat {
  readonly lost: Lost;
  /** The number of turns before the first one that is a message. */
  readonly from: number;
  encode(part: Part, path: string, turn: Turn): PartBlocks;
  isResult(block: JsonObject): boolean;
}

/** A message that grows with each turn of its side. */
interface Side {
  readonly role: SideMessage['role'];
  /** The results of tools, which come first. */
  readonly results: PartBlocks[];
  readonly others: PartBlocks[];
  /** The role of its first turn. */
  readonly from: Turn['role'];
}

/**
 * Returns the turns as messages whose roles alternate: consecutive turns of one side become one message, results of tools come
 * before anything else in it, and a turn without content is omitted.
 */
const alternateTurns = (turns: readonly Turn[], format: SideFormat): readonly SideMessage[] => {
  const { lost, from } = format;
  const isResult = ([first]: PartBlocks): boolean => first !== undefined && format.isResult(first);
  const toSide = (turn: Turn, path: string): Side => {
    const groups = turn.parts
      .map((part, index) => format.encode(part, `${path}.parts[${index}]`, turn))
      .filter(({ length }) => length > 0);
    const isModel = turn.role === 'assistant';
    const results = groups.filter(isResult);
    // When read back, results are a tool turn, and everything else is a turn of the user or the model.
    if (turn.role === 'tool' ? results.length < groups.length : results.length > 0) lost.push(path);
    if (isModel) return { role: 'assistant', results: [], others: groups, from: turn.role };
    return { role: 'user', results, others: groups.filter((group) => !isResult(group)), from: turn.role };
  };
  const sides: Side[] = [];
  turns.forEach((turn, index) => {
    if (index < from) return;
    const path = `turns[${index}]`;
    const side = toSide(turn, path);
    const last = sides.at(-1);
    if (side.results.length + side.others.length === 0) lost.push(path);
    else if (last?.role !== side.role) sides.push(side);
    else {
      const isOwnTurn = last.from === 'tool' && turn.role !== 'tool' && last.others.length === 0;
      if (!isOwnTurn) lost.push(path);
      append(last.results, side.results);
      append(last.others, side.others);
    }
  });
  return sides.map(({ role, results, others }) => ({ role, content: [...results, ...others].flat() }));
};

const isDocument = (block: JsonObject): boolean => block.document !== undefined;
const isText = (block: JsonObject): boolean => block.text !== undefined;

/** Adds a text beside documents without one, which the API rejects. */
const withText = ({ role, content }: SideMessage, lost: Lost): JsonObject => {
  if (!content.some(isDocument) || content.some(isText)) return { role, content };
  lost.push('turns.documents');
  return { role, content: [...content, { text: 'See the document.' }] };
};

/**
 * Returns the turns after the first instructions, as the API requires them. Later instructions become texts of the user's side.
 */
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
