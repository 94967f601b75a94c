import { withoutServiceKeys } from '../../../schema/credentials/without-service-keys.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { CheckInput, CheckRequest } from '../../sdk/guardrail/guardrail.ts';
import { requestTypes } from '../shared/request-types.ts';

/** The default time-out in milliseconds of a check that notifies a service. */
export const notifyTimeoutMs = 3000;
/** The service is given as long as the check, but never longer than this. */
const longestMs = 600_000;

/**
 * Builds the documented body for webhooks: the request, the answer if there is one, and their context. `text` is what the check
 * judges.
 */
const notifiedRequest = ({ phase, text, metadata, request, target, answer }: CheckInput): JsonObject => {
  const isInput = phase === 'input';
  return {
    request: {
      json: request.json,
      text: isInput ? text : '',
      isStreamingRequest: request.json.stream === true,
      isTransformed: false,
    },
    response: {
      json: answer ?? {},
      text: isInput ? '' : text,
      // Only answers with this status are judged.
      statusCode: isInput ? null : 200,
      isTransformed: false,
    },
    provider: target.provider,
    requestType: requestTypes(request)[0],
    metadata,
    eventType: isInput ? 'beforeRequestHook' : 'afterRequestHook',
  };
};

/** Creates the request that notifies a service of what is judged, without service keys that were put into it by mistake. */
export const notifyRequest = (
  input: CheckInput,
  { url, headers }: Required<Pick<CheckRequest, 'url' | 'headers'>>,
): CheckRequest => ({
  url,
  headers,
  body: withoutServiceKeys(JSON.stringify(notifiedRequest(input))),
  timeoutMs: longestMs,
  cancellation: input.cancellation,
});
