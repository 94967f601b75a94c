import type { Part, Turn } from '../../../../schema/conversation/conversation.ts';

/** The turns, with each result of a custom tool's call marked as one, for formats that do not say so at the result. */
export const withCustomResults = (turns: readonly Turn[]): readonly Turn[] => {
  const custom = new Set<string>();
  const mark = (part: Part): Part => {
    if (part.kind === 'tool-call' && part.input === 'text') custom.add(part.id);
    return part.kind === 'tool-result' && custom.has(part.id) ? { ...part, input: 'text' } : part;
  };
  return turns.map((turn) => ({ ...turn, parts: turn.parts.map(mark) }));
};
