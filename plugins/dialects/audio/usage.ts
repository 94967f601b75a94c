import type { Usage } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findObject } from '../../../schema/json/loose.ts';
import { readStatedUsage } from '../../../schema/usage/read-stated-usage.ts';

/** Tokens, or seconds of sound, of an answer or of the last event of a stream: https://platform.openai.com/docs/api-reference/audio */
export const findUsage = ({ usage }: JsonObject): Usage | undefined => {
  const stated = findObject(usage);
  return stated && readStatedUsage(stated);
};
