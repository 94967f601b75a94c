import { createChatDriver } from '../../matrix/upstreams/chat/chat-driver.ts';
import { groqVendor, mistralVendor, openaiVendor } from '../../matrix/upstreams/chat/chat-vendors.ts';
import { converseDriver } from '../../matrix/upstreams/converse/converse-driver.ts';
import { messagesDriver } from '../../matrix/upstreams/messages/messages-driver.ts';
import type { UpstreamDriver } from '../../matrix/upstreams/upstream-driver.ts';
import { partnerStubs } from '../../support/partners/partner-stubs.ts';
import { startUpstream, type TestUpstream, type UpstreamCall } from '../../support/servers/upstream-server.ts';

/** The header that contains the host for which a request was meant. */
export const dialledHeader = 'x-dialled-origin';

const drivers: ReadonlyMap<string, UpstreamDriver> = new Map([
  ['https://api.openai.com', createChatDriver(openaiVendor)],
  ['https://api.groq.com', createChatDriver(groqVendor)],
  ['https://api.mistral.ai', createChatDriver(mistralVendor)],
  ['https://api.anthropic.com', messagesDriver],
  ['https://bedrock-runtime.us-east-1.amazonaws.com', converseDriver],
]);

const usage = { input: 9, output: 2 };

/** All vendors on one loopback port, each as its documentation describes it. */
export interface Vendors {
  readonly origin: string;
  /** How often models were called, not counting embeddings. */
  readonly calls: number;
  /** Sets what every model answers from now on. */
  say(text: string): void;
  close(): Promise<void>;
}

const asksModel = /\/(?:chat\/completions|messages|converse|converse-stream)$/;

/** Answers a call of a partner's check. Some partners have models at the same address. */
const judge = (call: UpstreamCall, origin: string): boolean => {
  const { request } = call;
  const stub = partnerStubs.find(({ origins }) => origins.includes(origin));
  if (stub === undefined || asksModel.test(request.path)) return false;
  const { status, headers, body } = stub.answer({
    method: request.method,
    path: request.path,
    header: (name) => (name === 'host' ? new URL(origin).host : request.header(name)),
    text: request.text(),
    now: Date.now(),
  });
  call.json(body, { status, headers: headers ?? {} });
  return true;
};

/** The same vector for every text. */
const vectors = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.6, 0.8] }], model: 'e' };

export const startVendors = async (): Promise<Vendors> => {
  let text = '';
  let calls = 0;
  const upstream: TestUpstream = await startUpstream((call) => {
    const origin = call.request.header(dialledHeader) ?? '';
    if (call.request.path.endsWith('/embeddings')) return call.json(vectors);
    if (judge(call, origin)) return;
    const driver = drivers.get(origin);
    if (driver === undefined) throw new Error(`Nobody answers at ${origin}.`);
    calls += 1;
    driver.answer(call, { kind: 'answer', text, finish: 'stop', usage }, driver.hear(call.request).stream);
  });
  return {
    origin: upstream.origin,
    get calls() {
      return calls;
    },
    say: (next) => {
      text = next;
    },
    close: () => upstream.close(),
  };
};
