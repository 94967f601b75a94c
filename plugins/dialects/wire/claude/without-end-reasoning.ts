import type { Conversation, Part, Turn } from '../../../../schema/conversation/conversation.ts';
import type { Lost } from '../request/lost.ts';

/** Whether a part cannot be the last block of a message: reasoning, and a text that is left out since it is blank. */
const cannotEnd = (part: Part): boolean =>
  part.kind === 'reasoning' || (part.kind === 'text' && part.text.trim() === '');

/** How many parts of a turn stay, so that it does not end with reasoning. */
const countKept = ({ parts }: Turn): number => {
  const kept = parts.findLastIndex((part) => !cannotEnd(part)) + 1;
  return parts.slice(kept).some(({ kind }) => kind === 'reasoning') ? kept : parts.length;
};

/**
 * A conversation in which nothing that the model said ends with its reasoning, as an answer does that was cut off while the model
 * thought: Claude refuses that the last block of an assistant's message is `thinking`. Turns of the model that follow each other are
 * one message. https://platform.claude.com/docs/en/build-with-claude/extended-thinking
 */
export const withoutEndReasoning = (conversation: Conversation, lost: Lost): Conversation => {
  /** Whether the model goes on after the turn. */
  let goesOn = false;
  const cut = (turn: Turn, index: number): Turn => {
    const isModel = turn.role === 'assistant';
    const kept = isModel && !goesOn ? countKept(turn) : turn.parts.length;
    goesOn = isModel && (goesOn || kept > 0);
    if (kept === turn.parts.length) return turn;
    turn.parts.slice(kept).forEach(({ kind }, at) => {
      lost.push(`turns[${index}].parts[${kept + at}].${kind}`);
    });
    return { ...turn, parts: turn.parts.slice(0, kept) };
  };
  const turns = [...conversation.turns];
  for (let index = turns.length - 1; index >= 0; index -= 1) {
    const turn = turns[index];
    if (turn !== undefined) turns[index] = cut(turn, index);
  }
  return { ...conversation, turns };
};
