import type { DecodeAnswer, Dialect, EncodeAnswer, FramingId } from '../../../plugins/sdk/dialect/dialect.ts';
import type { StreamHandover } from '../../../plugins/sdk/http/http.ts';
import type { Conversation, Usage } from '../../../schema/conversation/conversation.ts';
import type { GatewayError } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { LeafNode } from '../../../schema/plan/plan.ts';
import type { UsageRecord } from '../../../schema/usage/usage-record.ts';
import type { OutgoingCall } from './outgoing-call.ts';

/** The origin of a stream, for code that continues it. */
export interface StreamSource {
  readonly leaf: LeafNode;
  readonly provider: string;
  readonly outgoing: OutgoingCall | undefined;
  /** Whether values that were taken out of the request are restored in the answer. */
  readonly restores: boolean;
  /** The client's dialect. */
  readonly dialect: Dialect | undefined;
  /** The client's framing. */
  readonly framing: FramingId;
  decodeOptions(): DecodeAnswer;
  encodeOptions(): EncodeAnswer;
  /** Returns its usage so far, with estimates of what its providers have not reported. */
  counts(): Usage;
  /** Returns the records of its attempts so far. Undefined if nobody consumes them. */
  records(): readonly UsageRecord[] | undefined;
}

/** Creates the handover for a stream that may break. */
export type TakeOver = (source: StreamSource) => StreamHandover;

/** A request for the rest of an answer. */
export interface ContinuedRequest {
  readonly conversation: Conversation;
  /** How many bytes the beginning has. It is now a part of the conversation. */
  readonly saidBytes: number;
  /** Marks the beginning of the answer in the body that is sent, if its provider requires that. */
  mark(body: JsonObject): JsonObject;
}

/** The target that is called for the rest of an answer. */
export interface ContinuingTarget {
  readonly provider: string;
  /** The dialect of the request to it. */
  readonly dialect: string;
  /** Whether values are taken out of its requests. */
  readonly restores: boolean;
}

/** How to request the rest of a stream that broke. */
export interface Continuation {
  /** The text so far. */
  readonly text: string;
  /** Returns why a leaf may not continue the stream. Undefined if it may. */
  declined(leaf: LeafNode): GatewayError | undefined;
  /** Throws the `GatewayError`s `no-output-left` and `cannot-continue`. */
  request(conversation: Conversation, target: ContinuingTarget): ContinuedRequest;
}
