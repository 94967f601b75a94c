import type { UpstreamDriver } from '../upstream-driver.ts';
import { waitHeaders } from '../wire/wait-headers.ts';
import { chatAnswer } from './answer-chat.ts';
import type { ChatVendor } from './chat-vendor.ts';
import { hearChat } from './hear-chat.ts';
import { chatChunks } from './stream-chat.ts';

/** Creates a service with OpenAI's chat completions: https://platform.openai.com/docs/api-reference/chat */
export const createChatDriver = (vendor: ChatVendor): UpstreamDriver => ({
  dialect: 'chat',
  hear: (request) => hearChat(request, vendor),
  proves: () => false,
  sendsRetryAfter: () => vendor.sendsRetryAfter,
  counts: ['cached', 'reasoning'],
  answer(call, answer, stream) {
    const headers = { 'x-request-id': 'req_0d1f6a5e2c' };
    if (answer.kind === 'error') {
      call.json(vendor.error(answer.status, answer.message), {
        status: answer.status,
        headers: { ...headers, ...waitHeaders(answer, vendor.sendsRetryAfter) },
      });
      return;
    }
    const { model } = hearChat(call.request, vendor);
    if (!stream) {
      call.json(chatAnswer(answer, model, vendor), { headers });
      return;
    }
    const includeUsage = call.request.json().stream_options?.include_usage === true;
    const sse = call.sse({ headers });
    for (const chunk of chatChunks(answer, { model, vendor, includeUsage })) sse.frame(chunk);
    sse.done();
  },
});
