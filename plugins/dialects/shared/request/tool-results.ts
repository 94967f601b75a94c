import type { Part, ToolResultPart, Turn } from '../../../../schema/conversation/conversation.ts';

export const isResult = (part: Part): part is ToolResultPart => part.kind === 'tool-result';

/** Whether a decoded part may be in a tool's result. */
export const isResultContent = (part: Part): part is ToolResultPart['parts'][number] =>
  part.kind === 'text' || part.kind === 'media' || part.kind === 'other';

/** Adds a result to the turns. Consecutive results answer one turn of the model, so they form one turn. */
export const addResult = (turns: Turn[], result: ToolResultPart): void => {
  const last = turns.at(-1);
  if (last?.role === 'tool') turns[turns.length - 1] = { ...last, parts: [...last.parts, result] };
  else turns.push({ role: 'tool', parts: [result] });
};
