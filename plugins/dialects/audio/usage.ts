import type { Usage } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findObject } from '../../../schema/json/loose.ts';
import { readStatedUsage } from '../../../schema/usage/read-stated-usage.ts';

/**
 * Returns the tokens, or the seconds of audio, of an answer or of a stream's last event:
 * https://platform.openai.com/docs/api-reference/audio
 */
export const findUsage = ({ usage }: JsonObject): Usage | undefined => {
  const stated = findObject(usage);
  return stated && readStatedUsage(stated);
};
