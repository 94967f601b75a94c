import type { Dialect, StreamEncoder } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Framing } from '../../../../plugins/sdk/framings/framing.ts';
import { framings } from '../../../../plugins/sdk/framings/framings.ts';
import type { GatewayResponse, RequestBody } from '../../../../plugins/sdk/http/http.ts';
import { toBuffer } from '../../../../plugins/sdk/http/to-buffer.ts';
import { withOverflowCode } from '../../../../schema/errors/context-overflow.ts';
import type { ErrorReport } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findJsonObject } from '../../../json-bodies/read/find-json-object.ts';
import type { Staging, StreamTranslation } from '../../../streams/create-relay.ts';
import { openStream } from '../../../streams/stream-gate.ts';
import { usageComments } from '../../../usage/usage-lines.ts';
import { askedBytes } from '../../attempt-usage/asked-bytes.ts';
import { requiringUsage } from '../../attempt-usage/required-usage.ts';
import { clientFraming } from '../../call/client-framing.ts';
import { decodeOptions } from '../../call/decode-options.ts';
import { encodeOptions } from '../../call/encode-options.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import type { OutgoingCall } from '../../call/outgoing-call.ts';
import type { StreamSource } from '../../call/stream-source.ts';
import { jsonHeaders } from '../../error-responses/error-response.ts';
import { withoutContentType } from '../../forwarded-headers/answer-head.ts';
import { givesUsage, stageStream } from '../../stream-stages/stage-stream.ts';
import { streamPrefix } from '../../stream-stages/stream-prefix.ts';
import type { StreamedAnswer } from '../../stream-stages/streamed-answer.ts';
import { calledWith } from '../../target/hidden-credential.ts';
import { failureResponse } from './failure-response.ts';
import { LeafStream } from './leaf-stream.ts';
import { hiddenInErrors } from './without-credential.ts';

/** Returns the members of a body that may contain the mark, or none for any other body. */
const findAsked = (body: RequestBody, mark: string): JsonObject => {
  if (body.kind === 'form') return body.form.fields;
  return body.kind === 'bytes' && toBuffer(body.bytes).includes(mark) ? (findJsonObject(body.bytes) ?? {}) : {};
};

/** Returns how many choices a request asks for, as sent to its provider. A body is read only if it may ask for several. */
const choicesAsked = ({ choicesAsked: asked }: Dialect, outgoing: OutgoingCall | undefined): number => {
  const body = outgoing?.request.body;
  if (asked === undefined || body === undefined) return 1;
  const count = asked.of(findAsked(body, asked.mark)) ?? 1;
  return Number.isInteger(count) ? count : 1;
};

const streamTranslation = (
  call: LeafCall,
  answer: StreamedAnswer,
  { to, staging }: { readonly to: Framing; readonly staging: Staging | undefined },
): StreamTranslation => {
  const { translation, framing: from, meter } = answer;
  const { strip, edits } = call.outgoing ?? {};
  const more = { edits, staging, meter, strip };
  if (translation.kind === 'same')
    return {
      upstream: translation.dialect,
      client: translation.dialect,
      from,
      to,
      choices: choicesAsked(translation.dialect, call.outgoing),
      ...more,
    };
  const { upstream, client, upstreamCodec, clientCodec } = translation;
  const encoder = (): StreamEncoder =>
    requiringUsage(call, clientCodec.streamEncoder(encodeOptions(call, answer)), { client, meter });
  return {
    upstream,
    client,
    from,
    to,
    translate: staging ?? { decoder: upstreamCodec.streamDecoder(decodeOptions(call)), encoder: encoder() },
    ...more,
  };
};

/**
 * Returns the text that a caller who asks for it receives at the end of its stream. Only server-sent events can carry it beside
 * the answer.
 */
const findEpilogue = ({ usage }: StreamedAnswer, { id }: Framing): (() => Buffer) | undefined =>
  usage?.isAsked === true && id === 'sse' ? () => usageComments(usage.record()) : undefined;

/** Turns a stream that failed before its answer began into an error answer, which may be retried or may trigger a fallback. */
const refusal = (
  call: LeafCall,
  {
    error,
    wire,
  }: { readonly error: ErrorReport; readonly wire?: Parameters<StreamTranslation['client']['encodeWireError']>[0] },
): GatewayResponse => {
  if (wire === undefined || call.dialect === undefined) return failureResponse(call, error);
  const body = call.dialect.encodeWireError(withOverflowCode(wire, error.status), error.status);
  return {
    status: error.status,
    headers: jsonHeaders,
    origin: 'upstream',
    cause: error.code,
    body: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(body)) },
    leaf: call.report,
  };
};

const toSource = (call: LeafCall, answer: StreamedAnswer): StreamSource => ({
  leaf: call.leaf,
  provider: call.target.provider.id,
  outgoing: call.outgoing,
  restores: call.restorer !== undefined,
  dialect: call.dialect,
  framing: clientFraming(call),
  decodeOptions: () => decodeOptions(call),
  encodeOptions: () => encodeOptions(call, { ...answer, streamUsage: givesUsage(call, answer) }),
  counts: () => answer.meter?.usage({ requestBytes: () => askedBytes(call) }) ?? { input: 0, output: 0 },
  records: () => answer.usage && [answer.usage.record()],
});

/** Waits until a stream's answer begins. The time-out covers this wait; from then on, silence is watched. */
export const receiveStream = async (call: LeafCall, answer: StreamedAnswer): Promise<GatewayResponse> => {
  const { scope, clock, idleMs, translation, strict } = answer;
  const framing = framings[clientFraming(call)];
  let cause = 'stream-cut';
  const prefix = streamPrefix(call, strict);
  const epilogue = findEpilogue(answer, framing);
  const staged = stageStream(call, answer);
  const handover = call.run.takeOver?.(toSource(call, answer));
  const hidden = hiddenInErrors(calledWith(call), framing);
  const opened = await openStream({
    body: answer.body,
    translation: streamTranslation(call, answer, { to: framing, staging: staged?.staging }),
    clock,
    idleMs,
    cancellation: scope,
    provider: call.target.provider.id,
    prefix,
    epilogue,
    hidden,
    mediaBytes: answer.mediaBytes,
    takeMemory: answer.takeMemory,
    onBroken: handover && ((broken) => handover.take?.(broken) === true),
    onBegun: () => scope.disarm(),
    onTorn: () => {
      call.hasTornEnd = true;
    },
    onFailed: (error) => {
      cause = error.code;
    },
  });
  if (opened.kind === 'refused') {
    if (opened.wire !== undefined) answer.meter?.refuse();
    return refusal(call, opened);
  }
  const body = new LeafStream(opened.body, staged?.take);
  body.onEnd((end) => {
    scope.release();
    if (end === 'failed') call.exchange.trail.push({ kind: 'streamFailed', path: call.leaf.path, cause });
  });
  const headers =
    translation.kind === 'same' && framing.id === answer.framing.id
      ? answer.headers
      : [...withoutContentType(answer.headers), 'content-type', framing.contentType];
  const response = { status: staged?.status() ?? 200, headers, origin: 'upstream', body, leaf: call.report } as const;
  return handover === undefined ? response : { ...response, handover };
};
