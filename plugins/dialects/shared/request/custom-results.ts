import type { Part, Turn } from '../../../../schema/conversation/conversation.ts';

/** Marks each result of a custom tool's call, for formats in which the result itself does not show it. */
export const withCustomResults = (turns: readonly Turn[]): readonly Turn[] => {
  const custom = new Set<string>();
  const mark = (part: Part): Part => {
    if (part.kind === 'tool-call' && part.input === 'text') custom.add(part.id);
    return part.kind === 'tool-result' && custom.has(part.id) ? { ...part, input: 'text' } : part;
  };
  return turns.map((turn) => ({ ...turn, parts: turn.parts.map(mark) }));
};
