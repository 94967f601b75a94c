import type { Conversation, TextPart, Turn } from '../../../../schema/conversation/conversation.ts';
import type { Lost } from './lost.ts';

/** Whether a turn gives instructions. */
export const isInstruction = ({ role }: Turn): boolean => role === 'system' || role === 'developer';

const isText = (part: Turn['parts'][number]): part is TextPart => part.kind === 'text';

/**
 * How many turns give instructions before anything is said. None if nothing is said at all: providers reject a request
 * without a message, so then the instructions are the message.
 */
export const leadingInstructions = (turns: readonly Turn[]): number =>
  Math.max(
    0,
    turns.findIndex((turn) => !isInstruction(turn) || !turn.parts.every(isText)),
  );

/** The instructions before the first turn are the system prompt, whether they are the system's or a developer's. */
export const withSystemPrompt = ({
  system,
  turns,
}: Pick<Conversation, 'system' | 'turns'>): Pick<Conversation, 'system' | 'turns'> => {
  const count = leadingInstructions(turns);
  const leading = turns.slice(0, count).flatMap(({ parts }) => parts.filter(isText));
  return { system: [...system, ...leading], turns: turns.slice(count) };
};

/** A text of the system prompt, and where the conversation has it. */
export interface PlacedText {
  readonly part: TextPart;
  readonly path: string;
}

/** The system prompt with the instructions before the first turn, for a format that has a member for all of them. */
export const placedPrompt = ({ system, turns }: Conversation, lost: Lost): readonly PlacedText[] => {
  const leading = turns.slice(0, leadingInstructions(turns)).flatMap(({ parts }, turn) => {
    // They are read back as the system prompt.
    lost.push('system', `turns[${turn}]`);
    return parts.filter(isText).map((part, at) => ({ part, path: `turns[${turn}].parts[${at}]` }));
  });
  return [...system.map((part, at) => ({ part, path: `system[${at}]` })), ...leading];
};
