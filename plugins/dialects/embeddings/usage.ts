import type { Usage } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findNumber, findObject } from '../../../schema/json/loose.ts';
import { decodeUsage } from '../chat/answer/usage.ts';

/** Returns the usage. An embedding has no output, so if only a total is reported, it is the input. */
export const findUsage = (wire: JsonObject): Usage | undefined => {
  const usage = findObject(wire.usage);
  const total = findNumber(usage?.total_tokens);
  return decodeUsage(usage) ?? (total === undefined ? undefined : { input: total, output: 0 });
};
