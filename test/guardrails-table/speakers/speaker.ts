import type { Frame, FramingId } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Route } from '../../../plugins/sdk/exchange/exchange.ts';
import { type OperationFacts, operations } from '../../../plugins/sdk/exchange/operations.ts';
import type { JsonObject } from '../../../schema/json/json.ts';

/** A dialect in its vendor's documented form: requests of its clients and answers of one of its providers. */
export interface Speaker {
  readonly dialect: string;
  /** A target as in a config: the provider and its credential. */
  readonly target: JsonObject;
  readonly origin: string;
  readonly framing: FramingId;
  /** The request body without `stream`, which the harness adds if the dialect selects streams in the body. */
  request(text: string, model: string): JsonObject;
  route(model: string): Route;
  /** Whether the path selects if the answer is a stream; otherwise the body does. */
  readonly streamsByPath?: true;
  answer(text: string): object;
  /** The frames of a streamed answer; absent if answers are never streams. */
  frames?(text: string): readonly Frame[];
}

/** The facts of the speaker's operation, which are the same for all its requests. */
export const factsOf = (speaker: Speaker): OperationFacts => operations[speaker.route('m').operation];

/** Frames of server-sent events whose data is JSON. */
export const dataFrames = (values: readonly object[]): readonly Frame[] =>
  values.map((value) => ({ data: JSON.stringify(value) }));

/** Frames like those of `dataFrames`, each with its `type` as the name of the event. */
export const namedFrames = <Event extends { readonly type: string }>(values: readonly Event[]): readonly Frame[] =>
  values.map((value) => ({ event: value.type, data: JSON.stringify(value) }));
