import { openaiVendor } from '../chat/chat-vendors.ts';
import type { UpstreamDriver } from '../upstream-driver.ts';
import { waitHeaders } from '../wire/wait-headers.ts';
import { endedResponse, toWishes } from './answer-responses.ts';
import { hearResponses } from './hear-responses.ts';
import { responseEvents } from './stream-responses.ts';

/** OpenAI's Responses API: https://platform.openai.com/docs/api-reference/responses */
export const responsesDriver: UpstreamDriver = {
  dialect: 'responses',
  hear: hearResponses,
  proves: (request) => toWishes(request).hasEncrypted,
  sendsRetryAfter: () => openaiVendor.sendsRetryAfter,
  counts: ['cached', 'reasoning'],
  answer(call, answer, stream) {
    const headers = { 'x-request-id': 'req_7c1e4b9a30' };
    if (answer.kind === 'error') {
      call.json(openaiVendor.error(answer.status, answer.message), {
        status: answer.status,
        headers: { ...headers, ...waitHeaders(answer, openaiVendor.sendsRetryAfter) },
      });
      return;
    }
    const wishes = toWishes(call.request);
    if (!stream) {
      call.json(endedResponse(answer, wishes), { headers });
      return;
    }
    const sse = call.sse({ headers });
    for (const event of responseEvents(answer, wishes)) sse.frame(event, event.type);
    sse.end();
  },
};
