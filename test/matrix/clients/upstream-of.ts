import type { ReceivedRequest } from '../../support/upstream-server.ts';
import { createChatDriver } from '../upstreams/chat/chat-driver.ts';
import { openaiVendor } from '../upstreams/chat/chat-vendors.ts';
import { geminiDriver } from '../upstreams/gemini/gemini-driver.ts';
import { messagesDriver } from '../upstreams/messages/messages-driver.ts';
import { responsesDriver } from '../upstreams/responses/responses-driver.ts';
import type { UpstreamDriver } from '../upstreams/upstream-driver.ts';

/** Google's library asks for `v1` since its third version, where everything here is as in `v1beta`. */
const ofBeta = (request: ReceivedRequest): ReceivedRequest => ({
  ...request,
  path: request.path.replace(/^\/v1\//, '/v1beta/'),
});

const gemini: UpstreamDriver = {
  dialect: 'gemini',
  hear: (request) => geminiDriver.hear(ofBeta(request)),
  answer: (call, answer, stream) => geminiDriver.answer({ ...call, request: ofBeta(call.request) }, answer, stream),
};

const upstreams: readonly UpstreamDriver[] = [createChatDriver(openaiVendor), responsesDriver, messagesDriver, gemini];

/** The provider of a dialect whose format that is. */
export const upstreamOf = (dialect: string): UpstreamDriver => {
  const found = upstreams.find((upstream) => upstream.dialect === dialect);
  if (found === undefined) throw new Error(`No provider speaks ${dialect}.`);
  return found;
};
