import type { AnswerCodec, Dialect, Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import { findAnswerCodec } from '../../../../plugins/sdk/dialect/find-answer-codec.ts';
import { providerFraming } from '../../../../plugins/sdk/framings/provider-framing.ts';
import type { Answer, AnswerEvent } from '../../../../schema/conversation/answer.ts';
import { unfoldAnswer } from '../../../../schema/conversation/unfold-answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { answerObject } from '../../../json-bodies/read/answer-object.ts';
import { decodeOptions } from '../../call/decode-options.ts';
import { type EncodeChoices, encodeOptions } from '../../call/encode-options.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { withoutContentType } from '../../forwarded-headers/answer-head.ts';
import type { StreamedAnswer } from '../../stream-stages/streamed-answer.ts';
import type { StreamedTranslation } from '../../target/translation.ts';
import { ReceivedBody } from './received-body.ts';

interface Upstream {
  readonly dialect: Dialect;
  readonly codec: AnswerCodec;
}

const findUpstream = (translation: StreamedTranslation): Upstream | undefined => {
  if (translation.kind === 'translate') return { dialect: translation.upstream, codec: translation.upstreamCodec };
  const { dialect } = translation;
  const codec = findAnswerCodec(dialect);
  return codec === undefined ? undefined : { dialect, codec };
};

/** Whether the stream would report usage: the client or the gateway asked for it, or every stream of the dialect does. */
const reportsUsage = (call: LeafCall, { dialect }: Upstream): boolean =>
  call.outgoing?.strip !== undefined || dialect.streamUsage?.request?.isMade(call.exchange.json()) !== false;

/** Returns the events of an answer, with its usage also at the start, where streams of some dialects need it. */
const toEvents = (answer: Answer): readonly AnswerEvent[] => {
  const { usage } = answer;
  const events = unfoldAnswer(answer);
  if (usage === undefined) return events;
  return events.map((event) => (event.kind === 'start' ? { ...event, usage } : event));
};

const toFrames = (
  call: LeafCall,
  answer: JsonObject,
  { upstream, ...choices }: EncodeChoices & { readonly upstream: Upstream },
): readonly Frame[] => {
  const { remember: _unused, ...options } = encodeOptions(call, choices);
  const encoder = upstream.codec.streamEncoder(options);
  const events = toEvents(upstream.codec.decodeAnswer(answer, decodeOptions(call)));
  return [...events.flatMap((event) => encoder.push(event)), ...encoder.end()];
};

/** The stream that a provider should have sent, with its headers. */
export type AnswerAsStream = Pick<StreamedAnswer, 'headers' | 'framing' | 'body'>;

/**
 * Returns a whole answer as the stream that the client asked for, because a client that expects a stream would take JSON for an
 * answer without content. Undefined if the bytes are not an answer.
 */
export const answerAsStream = (
  call: LeafCall,
  bytes: Uint8Array,
  {
    translation,
    headers,
    strict: isStrict,
    clock,
  }: Pick<StreamedAnswer, 'translation' | 'headers' | 'strict' | 'clock'>,
): AnswerAsStream | undefined => {
  const upstream = findUpstream(translation);
  const answer = answerObject(call, bytes);
  if (upstream === undefined || answer === undefined) return undefined;
  const streamUsage = translation.kind === 'translate' || reportsUsage(call, upstream);
  // A translation reads all parts of the answer, and omits itself what a strict client does not receive.
  const strict = isStrict && translation.kind === 'same';
  try {
    const frames = toFrames(call, answer, { upstream, strict, streamUsage, clock });
    const framing = providerFraming(upstream.dialect);
    const writer = framing.createWriter();
    return {
      headers: [...withoutContentType(headers), 'content-type', framing.contentType],
      framing,
      body: new ReceivedBody(Buffer.concat([writer.write(frames), writer.end()])),
    };
  } catch {
    return undefined;
  }
};
