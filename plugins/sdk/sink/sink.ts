import type { JsonObject } from '../../../schema/json/json.ts';
import type { DeliveryBounds, Sent } from '../delivery/delivery.ts';
import type { Cancellation, RawHeaders } from '../http/http.ts';
import type { Timers } from '../http/in-process.ts';
import type { FromSchema, ParameterSchema } from '../parameters/from-schema.ts';

/** The record of one finished request, as `GET /v1/logs/{id}` shows it. */
export interface SinkRecord {
  /** A UUID, the same in the log. Those of later requests of one gateway are larger. */
  readonly id: string;
  /** When its answer had ended, in milliseconds since the epoch. */
  readonly createdAt: number;
  readonly workspace: string;
  /** Its JSON, in one line, whose texts are all Unicode. It has texts of requests and answers only where the log keeps bodies. */
  readonly json: string;
  /** The same as a value, which is made anew by each call. */
  read(): JsonObject;
}

/** A request of a sink to its receiver. */
export interface SinkRequest {
  /** `POST` if absent. */
  readonly method?: string;
  readonly url: string;
  readonly headers?: { readonly [name: string]: string };
  /** JSON unless `headers` say otherwise. */
  readonly body?: string | Uint8Array;
  /** Milliseconds; those of `sendMs` if absent. */
  readonly timeoutMs?: number;
  /** The most bytes of the answer that are read; 64 KiB if absent. */
  readonly maxBytes?: number;
  /** That of the call of `send`. */
  readonly cancellation: Cancellation;
}

/** The answer of a service to a batch. */
export interface SinkAnswer {
  readonly status: number;
  readonly headers: RawHeaders;
  /** Empty where it is not whole. */
  readonly text: string;
  /** Whether the body was read to its end: false where it is too large, or broke off. */
  readonly isWhole: boolean;
}

/** Requests of sinks to their service. */
export interface SinkHttp {
  /**
   * Sends a request and reads its answer, whatever its status. No redirect is followed. Rejects with an `Error` that says why
   * there is no answer: a refused address, a failed connection, a time-out.
   */
  send(request: SinkRequest): Promise<SinkAnswer>;
}

/** The services of the gateway that a sink may use. */
export interface SinkServices {
  /** The only way to other machines: every address passes the gateway's rules for egress. */
  readonly http: SinkHttp;
  readonly timers: Timers;
}

/** The batch that records are sent in. */
export interface SinkBatch {
  /** The same whenever the same records are sent again, and of no other batch that was taken: receivers can know a batch by it. */
  readonly id: string;
  /** Once it is cancelled nobody waits for the answer. */
  readonly cancellation: Cancellation;
}

/** Takes records to a receiver, outside of requests and in a thread of its own. */
export interface OpenSink {
  /**
   * Sends records, and says what became of them. A rejection is tried again, as is no answer within `sendMs`. Reasons are
   * shown to the operator, without the secrets among the options.
   */
  send(records: readonly SinkRecord[], batch: SinkBatch): Promise<Sent>;
  /** Called once, when nothing is sent any more. */
  close?(): Promise<void> | void;
}

/** A kind of receiver, which `"sink"` of an entry in `log.sinks` of the gateway file names by its id. */
export interface LogSink {
  readonly id: string;
  /**
   * The schema of the other members of the entry. It may not have `sink`, `name`, `workspaces` and `sample`, which each entry
   * takes. A text of the format `secret` is a reference in the file; other texts may be one.
   */
  readonly options: ParameterSchema;
  /** Bounds of its queue that are other than the default ones. */
  readonly batch?: Partial<DeliveryBounds>;
  /** Lists what is wrong with options that fit the schema, a sentence each. References are not resolved. */
  faults?(options: JsonObject): readonly string[];
  /** Bounds that options ask for. */
  bounds?(options: JsonObject): Partial<DeliveryBounds>;
  /** Called when the gateway starts, and again when a secret of the options has changed. A throw stops the start. */
  create(options: JsonObject, services: SinkServices): OpenSink;
}

/** A sink whose code is loaded when a gateway file names it. */
export interface LazyLogSink extends Pick<LogSink, 'id'> {
  load(): Promise<LogSink>;
}

/** A sink of the log as a plugin writes it. */
export interface LogSinkDefinition<Schema extends ParameterSchema> extends Pick<LogSink, 'id' | 'batch'> {
  readonly options: Schema;
  faults?(options: FromSchema<Schema>): readonly string[];
  bounds?(options: FromSchema<Schema>): Partial<DeliveryBounds>;
  /** The options are valid, their defaults filled in and their references resolved. */
  create(options: FromSchema<Schema>, services: SinkServices): OpenSink;
}

/** A sink of the log whose options' types come from their schema. */
export const defineLogSink = <const Schema extends ParameterSchema>(definition: LogSinkDefinition<Schema>): LogSink =>
  definition as unknown as LogSink;

/** The whole of a sink, of which perhaps only the name is there yet. */
export const wholeSink = async (sink: LogSink | LazyLogSink): Promise<LogSink> => ('load' in sink ? sink.load() : sink);
