import { uniformError } from '../../../../plugins/sdk/dialect/uniform-error.ts';
import {
  type GatewayResponse,
  headerValue,
  type RawHeaders,
  type UpstreamBody,
  type UpstreamFailure,
} from '../../../../plugins/sdk/http/http.ts';
import { toBuffer } from '../../../../plugins/sdk/http/to-buffer.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import { isSuccess } from '../../../../schema/http/status.ts';
import { exactTextFrom } from '../../../../schema/json/exact-numbers.ts';
import type { Json } from '../../../../schema/json/json.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import { answerObject, answerReader } from '../../../json-bodies/read/answer-object.ts';
import { parsedObject } from '../../../json-bodies/read/parsed-object.ts';
import { unreadableReason, withoutMark } from '../../../json-bodies/read/unreadable-reason.ts';
import { staysUnread } from '../../attempt-usage/unread-answer.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { withRetryAfter } from '../../forwarded-headers/with-retry-after.ts';
import type { AskedTranslation } from '../../target/translation.ts';
import { upstreamDialect } from '../../target/upstream-dialect.ts';
import { failureResponse } from './failure-response.ts';
import { type AnswerTranslation, jsonResponse, translateAnswer } from './translate-answer.ts';

/** Returns the bytes of a whole answer after the edits, or the same bytes if nothing in them changes. */
const editedAnswer = (call: LeafCall, bytes: Uint8Array): Uint8Array => {
  const edits = call.outgoing?.edits;
  const received = toBuffer(bytes);
  if (!edits?.some(({ marks }) => marks.some((mark) => received.includes(mark)))) return bytes;
  const body = parsedObject(received.toString(), answerReader(call));
  if (body === undefined) return bytes;
  const edited = edits.reduce((before, edit) => edit.whole(before), body);
  return Buffer.from(exactTextFrom(body, edited));
};

/** An answer whose body is collected before it is used. */
export interface WholeAnswer extends Omit<AnswerTranslation, 'translation'> {
  readonly kind: 'whole';
  readonly status: number;
  /** Without hop-by-hop and framing headers. */
  readonly headers: readonly string[];
  /** In lower case, with its parameters. Empty if there is none. */
  readonly contentType: string;
  /** Whether the body has an encoding that could not be decoded. */
  readonly isEncoded: boolean;
  readonly body: UpstreamBody;
  readonly translation: AskedTranslation;
  /** Whether a stage will parse it whole. */
  readonly isReadWhole: boolean;
  /**
   * Returns the bytes as the stream that the client asked for, although the provider sent none. Undefined if they are not an
   * answer. Absent if the client awaits no stream.
   */
  readonly toStream: ((bytes: Uint8Array) => Promise<GatewayResponse | undefined>) | undefined;
}

/** Returns why an answer cannot be in a format that has no JSON. Undefined for all other formats. */
const untypedReason = (translation: AskedTranslation, contentType: string): string | undefined =>
  translation.kind === 'same' && translation.dialect.relays?.orJson === false
    ? `its type is ${contentType === '' ? 'missing' : contentType.slice(0, 100)}, which no answer of this operation has.`
    : undefined;

/**
 * Returns why an unsuccessful answer that names another address is invalid. A client that followed it would send there what only
 * the gateway may know.
 */
const redirectReason = (status: number, headers: RawHeaders): string | undefined => {
  // A client would receive it without a body, and so without a reason.
  if (status === 304) return 'its status is 304, which no request asked for.';
  const address = status <= 399 ? headerValue(headers, 'location') : undefined;
  if (address === undefined) return undefined;
  const to = URL.parse(address)?.host ?? '';
  return `it redirects to ${to === '' ? 'another path' : to}, and redirects are not followed. If it has moved, set "custom_host" of the target to its new address.`;
};

const readJson = (bytes: Uint8Array): { readonly text: string; readonly value: Json | undefined } => {
  const text = toBuffer(bytes).toString();
  return { text, value: parseJson(text) };
};

/**
 * Returns the response for a whole answer. In the client's own dialect it is unchanged, including errors
 * unless the provider declares that they vary. But a 2xx must be a valid answer, and a redirect is not.
 */
const receiveWhole = (
  call: LeafCall,
  {
    status,
    headers: given,
    contentType,
    isEncoded,
    translation,
    strict,
    streamUsage,
    clock,
    meter,
    isReadWhole,
  }: WholeAnswer,
  received: Uint8Array | UpstreamFailure,
): GatewayResponse => {
  if (!(received instanceof Uint8Array)) return failureResponse(call, received.error);
  const reason = isSuccess(status)
    ? (untypedReason(translation, contentType) ?? unreadableReason({ contentType, bytes: received, isEncoded }))
    : redirectReason(status, given);
  if (reason !== undefined)
    return failureResponse(call, errorReport('unreadable-answer', { provider: call.target.provider.id, reason }));
  const bytes = isSuccess(status) ? editedAnswer(call, received) : received;
  const dialect = upstreamDialect(translation);
  const headers = isSuccess(status) || isEncoded ? given : withRetryAfter(given, { dialect, bytes });
  if (translation.kind !== 'same')
    return translateAnswer(call, { status, headers, bytes }, { translation, strict, streamUsage, clock, meter });
  if (isSuccess(status)) {
    if (staysUnread(call, bytes)) call.unreadBytes = bytes;
    else if (isReadWhole) meter?.body(answerObject(call, bytes));
    else meter?.bytes(bytes);
  }
  const isOwnError = isSuccess(status) || isEncoded || call.target.provider.errorsVary !== true;
  const error = isOwnError ? undefined : uniformError(translation.dialect, { status, headers, ...readJson(bytes) });
  if (error !== undefined) return jsonResponse(call, { status, headers, bytes: Buffer.from(JSON.stringify(error)) });
  return { status, headers, origin: 'upstream', body: { kind: 'bytes', bytes }, leaf: call.report };
};

/** Returns the response for an answer once its body has arrived. If the client asked for a stream, it gets one. */
export const receiveCollected = (
  call: LeafCall,
  answer: WholeAnswer,
  received: Uint8Array | UpstreamFailure,
): GatewayResponse | Promise<GatewayResponse> => {
  if (!(received instanceof Uint8Array)) return receiveWhole(call, answer, received);
  const { toStream } = answer;
  const bytes = withoutMark(received);
  if (toStream === undefined) return receiveWhole(call, answer, bytes);
  return toStream(bytes).then((response) => response ?? receiveWhole(call, answer, bytes));
};
