import type { JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findObject, findText } from '../../../../schema/json/loose.ts';

/** One text of `reasoning_details`. */
export interface ReasoningDetail {
  readonly index: number;
  readonly member: 'text' | 'summary';
  readonly text: string;
}

const none: readonly ReasoningDetail[] = [];

/** https://openrouter.ai/docs/use-cases/reasoning-tokens: selects the pieces with text. Other pieces are encrypted. */
const reasoningDetails = ({ reasoning_details: details }: JsonObject): readonly ReasoningDetail[] =>
  findItems(details)?.flatMap((detail, index) =>
    (['text', 'summary'] as const).flatMap((member) => {
      const text = findText(findObject(detail)?.[member]) ?? '';
      return text === '' ? none : [{ index, member, text }];
    }),
  ) ?? none;

/** Returns the details whose text is not in the answer's reasoning. Nearly always the reasoning repeats them. */
export const unreportedDetails = (said: JsonObject): readonly ReasoningDetail[] => {
  if (said.reasoning_details === undefined) return none;
  const reasoning = findText(said.reasoning_content) ?? findText(said.reasoning) ?? '';
  return reasoningDetails(said).filter(({ text }) => !reasoning.includes(text));
};
