import type { JsonObject } from '../../../schema/json.ts';
import type { CheckInput } from '../../sdk/guardrail.ts';
import { requestTypes } from '../shared/request-types.ts';

/**
 * What a webhook is told, as the documentation of webhooks has it: the request, the answer if there is one, and where they
 * belong. `text` is what the check judges.
 */
export const toldRequest = ({ phase, text, metadata, request, target, answer }: CheckInput): JsonObject => {
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
