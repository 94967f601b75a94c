import type { JsonObject } from '../../../schema/json/json.ts';
import type { DeliveryBounds, Sent } from '../delivery/delivery.ts';
import type { Cancellation, RawHeaders } from '../http/http.ts';
import type { Timers } from '../http/in-process.ts';
import type { FromSchema, ParameterSchema } from '../parameters/from-schema.ts';

/** The record of one finished request, as `GET /v1/logs/{id}` shows it. */
export interface SinkRecord {
  /** A UUID, the same as in the log. Within one gateway, ids increase with time. */
  readonly id: string;
  /** When the answer ended, in milliseconds since the epoch. */
  readonly createdAt: number;
  readonly workspace: string;
  /**
   * The record as JSON on one line, in well-formed Unicode. It contains the texts of requests and answers only if the log keeps
   * bodies.
   */
  readonly json: string;
  /** Parses the record. Each call returns a new value. */
  read(): JsonObject;
}

/** A request from a sink to its receiver. */
export interface SinkRequest {
  /** `POST` if absent. */
  readonly method?: string;
  readonly url: string;
  readonly headers?: { readonly [name: string]: string };
  /** JSON, unless `headers` set another content type. */
  readonly body?: string | Uint8Array;
  /** The time-out in milliseconds; `sendMs` if absent. */
  readonly timeoutMs?: number;
  /** The maximum number of bytes of the answer that are read; 64 KiB if absent. */
  readonly maxBytes?: number;
  /** Pass the cancellation that `send` received. */
  readonly cancellation: Cancellation;
}

/** The answer of the receiver to a batch. */
export interface SinkAnswer {
  readonly status: number;
  readonly headers: RawHeaders;
  /** Empty if the body was not read completely. */
  readonly text: string;
  /** Whether the body was read completely: false if it is too large, or broke off. */
  readonly isWhole: boolean;
}

/** Sends requests from sinks to their receivers. */
export interface SinkHttp {
  /**
   * Sends a request and reads the answer, whatever its status. Redirects are not followed. Rejects with an `Error` that explains
   * why there is no answer: a refused address, a failed connection, or a time-out.
   */
  send(request: SinkRequest): Promise<SinkAnswer>;
}

/** The services of the gateway that a sink may use. */
export interface SinkServices {
  /** The only way to reach other machines. The gateway applies its egress rules to every address. */
  readonly http: SinkHttp;
  readonly timers: Timers;
}

/** The batch in which records are sent. */
export interface SinkBatch {
  /**
   * The same whenever the same records are sent again, and different for every other accepted batch, so that receivers can detect
   * duplicates.
   */
  readonly id: string;
  /** Once it is cancelled, the result is ignored. */
  readonly cancellation: Cancellation;
}

/** Delivers records to a receiver, outside of requests and in a separate thread. */
export interface OpenSink {
  /**
   * Sends records and returns the outcome. A rejected promise, or one that does not settle within `sendMs`, is retried. Reasons
   * are shown to the operator, with the secrets of the options removed.
   */
  send(records: readonly SinkRecord[], batch: SinkBatch): Promise<Sent>;
  /** Called once, when nothing more will be sent. */
  close?(): Promise<void> | void;
}

/** A kind of receiver. The `"sink"` of an entry in `log.sinks` of the gateway file names it by its id. */
export interface LogSink {
  readonly id: string;
  /**
   * The schema of the other members of the entry. It must not have `sink`, `name`, `workspaces` or `sample`, which every entry
   * accepts. A text of the format `secret` must be a reference in the file; other texts can be.
   */
  readonly options: ParameterSchema;
  /** The limits of its queue that differ from the defaults. */
  readonly batch?: Partial<DeliveryBounds>;
  /** Returns the errors in options that match the schema, one sentence each. References are not resolved. */
  faults?(options: JsonObject): readonly string[];
  /** Returns the limits that the options set. */
  bounds?(options: JsonObject): Partial<DeliveryBounds>;
  /**
   * Creates the sink. Called when the gateway starts, and again when a secret of the options has changed. If it throws, the
   * gateway does not start.
   */
  create(options: JsonObject, services: SinkServices): OpenSink;
}

/** A sink whose code is loaded when a gateway file names it. */
export interface LazyLogSink extends Pick<LogSink, 'id'> {
  load(): Promise<LogSink>;
}

/** The definition of a log sink, as passed to `defineLogSink`. */
export interface LogSinkDefinition<Schema extends ParameterSchema> extends Pick<LogSink, 'id' | 'batch'> {
  readonly options: Schema;
  faults?(options: FromSchema<Schema>): readonly string[];
  bounds?(options: FromSchema<Schema>): Partial<DeliveryBounds>;
  /** Creates the sink. The options are valid, with their defaults filled in and their references resolved. */
  create(options: FromSchema<Schema>, services: SinkServices): OpenSink;
}

/** Defines a log sink. The types of its options are derived from their schema. */
export const defineLogSink = <const Schema extends ParameterSchema>(definition: LogSinkDefinition<Schema>): LogSink =>
  definition as unknown as LogSink;

/** Returns the whole sink, and loads it first if only its id is known. */
export const wholeSink = async (sink: LogSink | LazyLogSink): Promise<LogSink> => ('load' in sink ? sink.load() : sink);
