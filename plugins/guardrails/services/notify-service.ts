import { withoutServiceKeys } from '../../../schema/credentials/without-service-keys.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { CheckInput, CheckRequest } from '../../sdk/guardrail/guardrail.ts';
import { requestTypes } from '../shared/request-types.ts';

/** The milliseconds that a check has which notifies a service, unless its config says otherwise. */
export const tellMs = 3000;
/** The service is waited for as long as the check is, but never longer than this. */
const longestMs = 600_000;

/**
 * Builds the request to a webhook, as the documentation of webhooks has it: the request, the answer if there is one,
 * and where they belong. `text` is what the check judges.
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

/** The request that notifies a service of what is judged, without the service keys that somebody has put into it by mistake. */
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
