import { defaultResponseMembers } from '../../../../../schema/conversation/response-members.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { objectOf, textOf } from '../../../../../schema/json/loose.ts';

const errorOf = (value: Json | undefined): Json => {
  const error = objectOf(value);
  if (error === undefined) return null;
  return { ...error, code: textOf(error.code) ?? 'server_error', message: textOf(error.message) ?? '' };
};

const detailsOf = (value: Json | undefined): Json => {
  const details = objectOf(value);
  return details === undefined ? null : { ...details, reason: textOf(details.reason) ?? 'unknown' };
};

/**
 * A response with all members that the specification requires, whatever its provider leaves out. `error` has a code and a
 * message and `incomplete_details` a reason, or they are null, as OpenAI has them and its clients need them: these take any
 * object for an error.
 */
export const specifiedResponse = (response: JsonObject): JsonObject => ({
  ...defaultResponseMembers,
  ...response,
  metadata: objectOf(response.metadata) ?? {},
  error: errorOf(response.error),
  incomplete_details: detailsOf(response.incomplete_details),
});
