import type { Conversation, MediaPart, Part, Turn } from '../../../../schema/conversation/conversation.ts';
import { isBlank } from '../parts/is-blank.ts';
import type { Lost } from '../request/lost.ts';

/** A format, and the content that a message of the model can have in it. */
interface Format {
  readonly dialect: 'messages' | 'converse';
  /** Whether it has these media. */
  has(media: MediaPart): boolean;
}

/** Whether a part cannot be the last block of a message: reasoning, or what is omitted, such as a blank text. */
const cannotEnd = (part: Part, { dialect, has }: Format): boolean => {
  switch (part.kind) {
    case 'reasoning':
      return true;
    case 'text':
    case 'refusal':
      return isBlank(part.text);
    case 'media':
      return !has(part);
    case 'server-tool-call':
    case 'other':
      return part.dialect !== dialect;
    case 'server-tool-result':
      return part.dialect !== dialect && isBlank(part.text);
    default:
      return false;
  }
};

/** Returns how many parts of a turn to keep, so that it does not end with reasoning. */
const countKept = ({ parts }: Turn, format: Format): number => {
  const kept = parts.findLastIndex((part) => !cannotEnd(part, format)) + 1;
  return parts.slice(kept).some(({ kind }) => kind === 'reasoning') ? kept : parts.length;
};

/**
 * Returns a conversation in which no message of the model ends with reasoning, which happens if an answer was cut off while the
 * model was thinking. Claude rejects an assistant's message whose last block is `thinking`. Consecutive turns of the model are
 * one message. https://platform.claude.com/docs/en/build-with-claude/extended-thinking
 */
export const withoutEndReasoning = (
  conversation: Conversation,
  { lost, ...format }: Format & { readonly lost: Lost },
): Conversation => {
  /** Whether the model continues after the turn. */
  let goesOn = false;
  const cut = (turn: Turn, index: number): Turn => {
    const isModel = turn.role === 'assistant';
    const kept = isModel && !goesOn ? countKept(turn, format) : turn.parts.length;
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
