import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Lost } from './lost.ts';

/** The blocks of the system prompt, and the messages, of a format that has them apart. */
export interface PromptedMessages {
  readonly prompt: readonly JsonObject[];
  readonly messages: readonly JsonObject[];
}

/** Providers reject a request without a message: instructions that stand alone are then said by the user. */
export const withMessage = (
  { prompt, messages }: PromptedMessages,
  content: 'content' | 'parts',
  lost: Lost,
): PromptedMessages => {
  if (messages.length > 0 || prompt.length === 0) return { prompt, messages };
  lost.push('system', 'turns');
  return { prompt: [], messages: [{ role: 'user', [content]: [...prompt] }] };
};
