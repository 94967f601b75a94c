import type { Part, Turn } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import type { Lost } from '../wire/lost.ts';

/** The content blocks of one part: none if the format cannot express it. */
export type PartBlocks = readonly JsonObject[];

/** One message of a format in which the user's side and the model's side alternate. */
export interface SideMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly JsonObject[];
}

/** How a format writes the parts of a turn, and which of them are results of tools. */
export interface SideFormat {
  readonly lost: Lost;
  /** The number of turns before the first one that is a message. */
  readonly from: number;
  encode(part: Part, path: string, turn: Turn): PartBlocks;
  isResult(block: JsonObject): boolean;
}

interface Side {
  readonly role: SideMessage['role'];
  readonly groups: readonly PartBlocks[];
  /** The role of its first turn. */
  readonly from: Turn['role'];
}

const resultsFirst = (
  groups: readonly PartBlocks[],
  isResult: (group: PartBlocks) => boolean,
): readonly PartBlocks[] => [...groups.filter(isResult), ...groups.filter((group) => !isResult(group))];

/**
 * The turns as messages whose roles alternate: consecutive turns of one side become one message, results of tools come
 * before anything else in it, and a turn without content is omitted.
 */
export const alternateTurns = (turns: readonly Turn[], format: SideFormat): readonly SideMessage[] => {
  const { lost, from } = format;
  const isResult = ([first]: PartBlocks): boolean => first !== undefined && format.isResult(first);
  const sideOf = (turn: Turn, path: string): Side => {
    const groups = turn.parts
      .map((part, index) => format.encode(part, `${path}.parts[${index}]`, turn))
      .filter(({ length }) => length > 0);
    const results = groups.filter(isResult).length;
    // When read back, results are a tool turn, and all else is a turn of the user or the model.
    if (turn.role === 'tool' ? results < groups.length : results > 0) lost.push(path);
    if (turn.role === 'assistant') return { role: 'assistant', groups, from: turn.role };
    return { role: 'user', groups: resultsFirst(groups, isResult), from: turn.role };
  };
  const sides: Side[] = [];
  turns.forEach((turn, index) => {
    if (index < from) return;
    const path = `turns[${index}]`;
    const side = sideOf(turn, path);
    const last = sides.at(-1);
    if (side.groups.length === 0) lost.push(path);
    else if (last?.role !== side.role) sides.push(side);
    else {
      const isOwnTurn = last.from === 'tool' && turn.role !== 'tool' && last.groups.every(isResult);
      if (!isOwnTurn) lost.push(path);
      sides[sides.length - 1] = { ...last, groups: resultsFirst([...last.groups, ...side.groups], isResult) };
    }
  });
  return sides.map(({ role, groups }) => ({ role, content: groups.flat() }));
};
