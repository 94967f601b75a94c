import { defaultResponseMembers } from '../../../../../schema/conversation/response-members.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../../schema/json/loose.ts';

const readError = (value: Json | undefined): Json => {
  const error = findObject(value);
  if (error === undefined) return null;
  return { ...error, code: findText(error.code) ?? 'server_error', message: findText(error.message) ?? '' };
};

const readDetails = (value: Json | undefined): Json => {
  const details = findObject(value);
  return details === undefined ? null : { ...details, reason: findText(details.reason) ?? 'unknown' };
};

/**
 * A response with all members that the specification requires, whatever its provider leaves out. `error` has a code and a
 * message and `incomplete_details` a reason, or they are null, as OpenAI has them and its clients need them: these take any
 * object for an error.
 */
export const specifiedResponse = (response: JsonObject): JsonObject => ({
  ...defaultResponseMembers,
  ...response,
  metadata: findObject(response.metadata) ?? {},
  error: readError(response.error),
  incomplete_details: readDetails(response.incomplete_details),
});
