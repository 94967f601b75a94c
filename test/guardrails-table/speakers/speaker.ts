import type { Frame, FramingId } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Route } from '../../../plugins/sdk/exchange/exchange.ts';
import { type OperationFacts, operations } from '../../../plugins/sdk/exchange/operations.ts';
import type { JsonObject } from '../../../schema/json/json.ts';

/** A dialect as its clients and one of its providers speak it, in the vendor's documented form. */
export interface Speaker {
  readonly dialect: string;
  /** A target of a config: the provider and its credential. */
  readonly target: JsonObject;
  readonly origin: string;
  readonly framing: FramingId;
  /** Without `stream`, which the harness adds where the body says it. */
  request(text: string, model: string): JsonObject;
  route(model: string): Route;
  /** Whether the path says if the answer is a stream; otherwise the body does. */
  readonly streamsByPath?: true;
  answer(text: string): object;
  /** The frames of a streamed answer; absent where answers are never streams. */
  frames?(text: string): readonly Frame[];
}

/** What holds of its requests, whatever they ask. */
export const factsOf = (speaker: Speaker): OperationFacts => operations[speaker.route('m').operation];

/** Frames of server-sent events whose data is JSON. */
export const dataFrames = (values: readonly object[]): readonly Frame[] =>
  values.map((value) => ({ data: JSON.stringify(value) }));

/** The same, each with the name that its `type` is. */
export const namedFrames = <Event extends { readonly type: string }>(values: readonly Event[]): readonly Frame[] =>
  values.map((value) => ({ event: value.type, data: JSON.stringify(value) }));
