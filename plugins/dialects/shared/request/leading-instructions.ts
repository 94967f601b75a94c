import type { Conversation, TextPart, Turn } from '../../../../schema/conversation/conversation.ts';
import type { Lost } from './lost.ts';

/** Whether a turn contains instructions. */
export const isInstruction = ({ role }: Turn): boolean => role === 'system' || role === 'developer';

const isText = (part: Turn['parts'][number]): part is TextPart => part.kind === 'text';

/**
 * Returns how many turns with instructions come before the first other turn. Returns 0 if there is no other turn: providers
 * reject a request without a message, so the instructions are then the message.
 */
export const leadingInstructions = (turns: readonly Turn[]): number =>
  Math.max(
    0,
    turns.findIndex((turn) => !isInstruction(turn) || !turn.parts.every(isText)),
  );

/** Makes the instructions before the first turn part of the system prompt, whether they are the system's or a developer's. */
export const withSystemPrompt = ({
  system,
  turns,
}: Pick<Conversation, 'system' | 'turns'>): Pick<Conversation, 'system' | 'turns'> => {
  const count = leadingInstructions(turns);
  const leading = turns.slice(0, count).flatMap(({ parts }) => parts.filter(isText));
  return { system: [...system, ...leading], turns: turns.slice(count) };
};

/** A text of the system prompt, and its place in the conversation. */
export interface PlacedText {
  readonly part: TextPart;
  readonly path: string;
}

/** Returns the system prompt with the instructions before the first turn, for a format that has one member for all of them. */
export const placedPrompt = ({ system, turns }: Conversation, lost: Lost): readonly PlacedText[] => {
  const leading = turns.slice(0, leadingInstructions(turns)).flatMap(({ parts }, turn) => {
    // They are read back as the system prompt.
    lost.push('system', `turns[${turn}]`);
    return parts.filter(isText).map((part, at) => ({ part, path: `turns[${turn}].parts[${at}]` }));
  });
  return [...system.map((part, at) => ({ part, path: `system[${at}]` })), ...leading];
};
