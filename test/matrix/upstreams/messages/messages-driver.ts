import type { UpstreamDriver } from '../upstream-driver.ts';
import { googleError } from '../wire/google-error.ts';
import { waitHeaders } from '../wire/wait-headers.ts';
import { messageEvents, messagesAnswer } from './answer-messages.ts';
import { hearMessagesRequest, isVertex } from './hear-messages-request.ts';

/** https://docs.anthropic.com/en/api/errors */
const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
};

const anthropicError = (status: number, message: string): object => ({
  type: 'error',
  error: { type: errorTypes[status] ?? 'api_error', message },
  request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy',
});

/** Anthropic's Messages API at its own address and on Vertex AI: https://docs.anthropic.com/en/api/messages */
export const messagesDriver: UpstreamDriver = {
  dialect: 'messages',
  hear: hearMessagesRequest,
  proves: (request) => hearMessagesRequest(request).reasoning,
  // https://docs.anthropic.com/en/api/rate-limits#response-headers
  sendsRetryAfter: (request) => !isVertex(request),
  counts: ['cached', 'reasoning'],
  answer(call, answer, stream) {
    const headers = { 'request-id': 'req_011CSHoEeqs5C35K2UUqR7Fy' };
    if (answer.kind === 'error') {
      // Google itself enforces the quotas of its partners' models.
      const body = isVertex(call.request) && answer.status === 429 ? googleError : anthropicError;
      call.json(body(answer.status, answer.message), {
        status: answer.status,
        headers: { ...headers, ...waitHeaders(answer, !isVertex(call.request)) },
      });
      return;
    }
    const { model, reasoning } = hearMessagesRequest(call.request);
    const options = { model, isThinking: reasoning };
    if (!stream) {
      call.json(messagesAnswer(answer, options), { headers });
      return;
    }
    const sse = call.sse({ headers });
    for (const event of messageEvents(answer, options)) sse.frame(event, event.type);
    sse.end();
  },
};
