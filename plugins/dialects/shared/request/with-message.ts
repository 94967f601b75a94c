import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Lost } from './lost.ts';

/** The blocks of the system prompt and the messages, for a format that separates them. */
export interface PromptedMessages {
  readonly prompt: readonly JsonObject[];
  readonly messages: readonly JsonObject[];
}

/** Providers reject a request without a message, so if there are only instructions, they become a message of the user. */
export const withMessage = (
  { prompt, messages }: PromptedMessages,
  content: 'content' | 'parts',
  lost: Lost,
): PromptedMessages => {
  if (messages.length > 0 || prompt.length === 0) return { prompt, messages };
  lost.push('system', 'turns');
  return { prompt: [], messages: [{ role: 'user', [content]: [...prompt] }] };
};
