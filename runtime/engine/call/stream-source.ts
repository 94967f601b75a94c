import type { DecodeAnswer, Dialect, EncodeAnswer, FramingId } from '../../../plugins/sdk/dialect/dialect.ts';
import type { StreamHandover } from '../../../plugins/sdk/http/http.ts';
import type { Conversation, Usage } from '../../../schema/conversation/conversation.ts';
import type { GatewayError } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { LeafNode } from '../../../schema/plan/plan.ts';
import type { UsageRecord } from '../../../schema/usage/usage-record.ts';
import type { OutgoingCall } from './outgoing-call.ts';

/** Where a stream came from, for whoever goes on with it. */
export interface StreamSource {
  readonly leaf: LeafNode;
  readonly provider: string;
  readonly outgoing: OutgoingCall | undefined;
  /** Whether values that were taken out of the request are put back into the answer. */
  readonly restores: boolean;
  /** The client's. */
  readonly dialect: Dialect | undefined;
  /** The client's. */
  readonly framing: FramingId;
  decodeOptions(): DecodeAnswer;
  encodeOptions(): EncodeAnswer;
  /** Its usage so far, with estimates of what its providers have not reported. */
  counts(): Usage;
  /** The records of its attempts so far; undefined where nobody consumes them. */
  records(): readonly UsageRecord[] | undefined;
}

/** Makes what takes over a stream that breaks. */
export type TakeOver = (source: StreamSource) => StreamHandover;

/** A request that asks for the rest of an answer. */
export interface ContinuedRequest {
  readonly conversation: Conversation;
  /** The bytes of the beginning, which is a part of the conversation now. */
  readonly saidBytes: number;
  /** Marks the beginning of the answer in the body that is sent, where its provider needs that. */
  mark(body: JsonObject): JsonObject;
}

/** The target that is asked for the rest of an answer. */
export interface ContinuingTarget {
  readonly provider: string;
  /** The dialect in which it is asked. */
  readonly dialect: string;
  /** Whether values are taken out of its requests. */
  readonly restores: boolean;
}

/** How the rest of a stream that broke is asked for. */
export interface Continuation {
  /** The text that was said. */
  readonly text: string;
  /** Why a leaf may not go on; undefined if it may. */
  declined(leaf: LeafNode): GatewayError | undefined;
  /** Throws the `GatewayError`s `no-output-left` and `cannot-continue`. */
  request(conversation: Conversation, target: ContinuingTarget): ContinuedRequest;
}
