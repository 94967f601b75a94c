import type { JsonObject } from '../../../../schema/json/json.ts';
import { objectsOf, textOf } from '../../../../schema/json/loose.ts';

const retryInfo = 'type.googleapis.com/google.rpc.RetryInfo';

/** A protobuf duration as JSON: `34.074824224s`. */
const duration = /^(\d{1,12}(?:\.\d{1,9})?)s$/;

/**
 * The `retryDelay` of an error, in whole seconds, at least as many as it says. The services send no header of it:
 * https://cloud.google.com/apis/design/errors#error_details
 */
export const retryDelayOf = (error: JsonObject | undefined): number | undefined => {
  const details = objectsOf(error?.details).find((detail) => detail['@type'] === retryInfo);
  const [, seconds] = duration.exec(textOf(details?.retryDelay) ?? '') ?? [];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds));
};
