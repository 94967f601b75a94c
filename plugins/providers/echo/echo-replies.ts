import { errorReport } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { RawHeaders } from '../../sdk/http/http.ts';
import type { BodyScript, BodyStep } from '../../sdk/http/scripted-body.ts';
import { type EchoStamp, echoCompletion, echoStream } from './echo-chat.ts';
import type { EchoControls } from './echo-controls.ts';
import { echoEmbeddings } from './echo-embeddings.ts';

/** A reply of the echo provider, before it is sent. */
export interface EchoReply {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly script: BodyScript;
}

const cut = errorReport('connection-lost', { host: 'echo', reason: 'the request set cut_after.' });

const jsonReply = (status: number, body: JsonObject, headers: RawHeaders = []): EchoReply => {
  const bytes = Buffer.from(JSON.stringify(body));
  return {
    status,
    headers: ['content-type', 'application/json', 'content-length', String(bytes.length), ...headers],
    script: { steps: [{ bytes }], end: 'complete' },
  };
};

const wholeReply = (body: JsonObject, { status, cut_after: cutAfter }: EchoControls): EchoReply => {
  const reply = jsonReply(status, body);
  if (cutAfter === undefined) return reply;
  const steps = reply.script.steps.map(({ bytes }) => ({ bytes: bytes.subarray(0, bytes.length / 2) }));
  return { ...reply, script: { steps, end: cut } };
};

const streamedReply = (body: JsonObject, controls: EchoControls, stamp: EchoStamp): EchoReply => {
  const { opening, words, close } = echoStream(body, stamp);
  const { status, word_ms: waitMs, cut_after: cutAfter } = controls;
  const spoken = words.slice(0, cutAfter ?? words.length);
  const steps: readonly BodyStep[] = [
    { bytes: Buffer.from(opening) },
    ...spoken.map((word) => ({ waitMs, bytes: Buffer.from(word) })),
    ...(cutAfter === undefined ? [{ bytes: Buffer.from(close) }] : []),
  ];
  return {
    status,
    headers: ['content-type', 'text/event-stream', 'cache-control', 'no-cache'],
    script: { steps, end: cutAfter === undefined ? 'complete' : cut },
  };
};

/** Returns an error, as the chat dialect writes it. */
export const errorReply = (status: number, message: string, headers: RawHeaders = []): EchoReply =>
  jsonReply(status, { error: { message, type: 'echo_error', param: null, code: null } }, headers);

/** Returns the answer to a chat or embeddings request, according to its controls. */
export const echoReply = (
  operation: 'chat' | 'embeddings',
  { body, controls, stamp }: { readonly body: JsonObject; readonly controls: EchoControls; readonly stamp: EchoStamp },
): EchoReply => {
  if (controls.status >= 300) {
    const { status, retry_after: seconds } = controls;
    const retryAfter = seconds === undefined ? [] : ['retry-after', String(seconds)];
    return errorReply(status, `The request asked the echo provider to answer ${status}.`, retryAfter);
  }
  if (operation === 'embeddings') return wholeReply(echoEmbeddings(body), controls);
  return body.stream === true
    ? streamedReply(body, controls, stamp)
    : wholeReply(echoCompletion(body, stamp), controls);
};
