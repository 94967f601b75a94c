import type {
  AttemptRecord,
  EventRecord,
  RequestRecord,
  SpanPlace,
  SpanRecord,
  UsedTokens,
} from '../records/records.ts';
import { attribute, fraction, toFields, writeAttributes } from './attributes.ts';
import { destinationFacts } from './destination-facts.ts';
import {
  eventFields,
  scopeSpansFields,
  spanFields,
  spanFlags,
  spanKinds,
  statusCodes,
  statusFields,
} from './otlp-fields.ts';
import type { Packages } from './packages.ts';
import type { ProtoWriter } from './proto-writer.ts';
import { remembered } from './remembered.ts';

export interface SpanOptions {
  readonly createTraceState: Packages['api']['createTraceState'];
  /** The zero of the runtime's clock, in milliseconds since the epoch. */
  readonly timeOrigin: number;
}

export interface Spans {
  /** Encodes the span of a record as a member of OTLP's `ScopeSpans`. */
  write(to: ProtoWriter, record: SpanRecord, place: SpanPlace): void;
}

/** Only this many of a span's newest events are kept, as in OpenTelemetry. */
const maxEvents = 128;

/** The number of bytes that the lengths of most spans take. */
const lengthBytes = 2;

const microsOfMs = 1000;
const nanosOfMicro = 1000;

const writeTime = (to: ProtoWriter, field: number, ms: number): void =>
  to.fixed64(field, Math.round(ms * microsOfMs), nanosOfMicro);

interface SharedFacts {
  /** Absent if each has its own. */
  readonly name: string | undefined;
  readonly kind: number;
  readonly hasFailed: boolean;
  /** Whether its parent belongs to another process. */
  readonly hasRemoteParent: boolean;
  readonly attributes: Parameters<typeof writeAttributes>[2];
}

/** Encodes the fields that many spans share. */
const sharedFields = ({ name, kind, hasFailed, hasRemoteParent, attributes }: SharedFacts): Uint8Array =>
  toFields((to) => {
    if (name !== undefined) to.text(spanFields.name, name);
    to.varint(spanFields.kind, kind);
    const status = to.begin(spanFields.status);
    to.varint(statusFields.code, hasFailed ? statusCodes.error : statusCodes.unset);
    to.end(status);
    const flags = spanFlags.sampled | spanFlags.saysIfRemote | (hasRemoteParent ? spanFlags.isRemote : 0);
    to.fixed32(spanFields.flags, flags);
    writeAttributes(to, spanFields.attributes, attributes);
  });

const ofAttempts = remembered(
  (
    operation: AttemptRecord['operation'],
    provider: string,
    origin: string,
    askedModel: string | null,
    path: string,
    target: string,
    attempt: number,
    status: number | null,
    failure: string | null,
  ) => {
    const destination = destinationFacts(operation, provider, origin);
    const operationName = destination['gen_ai.operation.name'];
    return sharedFields({
      name: askedModel ? `${operationName} ${askedModel}` : operationName,
      kind: spanKinds.client,
      hasFailed: failure !== null,
      hasRemoteParent: false,
      attributes: {
        ...destination,
        'gen_ai.request.model': askedModel || null,
        'gatewright.target': target,
        'gatewright.path': path,
        'gatewright.attempt': attempt,
        'http.response.status_code': status,
        'error.type': failure,
      },
    });
  },
);

const ofModels = remembered((model: string) =>
  toFields((to) => writeAttributes(to, spanFields.attributes, { 'gen_ai.response.model': model || null })),
);

const ofFinishReasons = remembered((...reasons: readonly string[]) =>
  toFields((to) => writeAttributes(to, spanFields.attributes, { 'gen_ai.response.finish_reasons': reasons })),
);

/** Creates a writer for tokens or costs. Values that are not integers are omitted. */
const amount = (key: string): ((to: ProtoWriter, amount: number | null) => void) => {
  const write = attribute(spanFields.attributes, key);
  return (to, value) => {
    if (value !== null && Number.isSafeInteger(value)) write(to, value);
  };
};

const amounts = {
  input: amount('gen_ai.usage.input_tokens'),
  output: amount('gen_ai.usage.output_tokens'),
  cacheRead: amount('gen_ai.usage.cache_read.input_tokens'),
  cacheWritten: amount('gen_ai.usage.cache_creation.input_tokens'),
  reasoning: amount('gen_ai.usage.reasoning.output_tokens'),
  nanoUsd: amount('gatewright.cost.nano_usd'),
} as const;

/** Writes the usage of an attempt, as far as it is known. */
const writeUsed = (to: ProtoWriter, used: UsedTokens): void => {
  amounts.input(to, used.input);
  amounts.output(to, used.output);
  amounts.cacheRead(to, used.cacheRead);
  amounts.cacheWritten(to, used.cacheWritten || null);
  amounts.reasoning(to, used.reasoning);
  amounts.nanoUsd(to, used.nanoUsd);
};

/** An id that is not the trace's own may be any text that a client has sent. */
const writeTraceId = attribute(spanFields.attributes, 'gatewright.trace_id');

const writeSimilarity = fraction(spanFields.attributes, 'gatewright.cache.similarity');

/** The methods that the conventions know: those of RFC 9110, PATCH and QUERY. */
const knownMethods: ReadonlySet<string> = new Set(
  'GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH QUERY'.split(' '),
);

const ofRequests = remembered(
  (
    method: string,
    scheme: string,
    endpoint: string,
    status: number,
    cause: string | null,
    plan: string | null,
    cacheStatus: string | null,
    path: string,
    hasRemoteParent: 0 | 1,
    hasOwnName: 0 | 1,
  ) =>
    sharedFields({
      name: hasOwnName === 1 ? undefined : `${knownMethods.has(method) ? method : 'HTTP'} ${endpoint}`,
      kind: spanKinds.server,
      // A client error is not an error of the server.
      hasFailed: status >= 500,
      hasRemoteParent: hasRemoteParent === 1,
      attributes: {
        'http.request.method': knownMethods.has(method) ? method : '_OTHER',
        'http.request.method_original': knownMethods.has(method) ? null : method,
        'url.scheme': scheme,
        'url.path': path,
        'gatewright.endpoint': endpoint,
        'http.response.status_code': status,
        'gatewright.plan': plan,
        'gatewright.cache.status': cacheStatus,
        'error.type': cause ?? (status >= 500 ? String(status) : null),
      },
    }),
);

/**
 * Encodes spans for sending. Ids cannot be assigned to the SDK's spans, and creating and then encoding those costs several times
 * as much.
 */
export const createSpans = ({ createTraceState, timeOrigin }: SpanOptions): Spans => {
  const writePlace = (to: ProtoWriter, { traceId, spanId, parentId, state }: SpanPlace): void => {
    to.hex(spanFields.traceId, traceId);
    to.hex(spanFields.spanId, spanId);
    if (parentId !== null) to.hex(spanFields.parentSpanId, parentId);
    if (state !== null) to.text(spanFields.traceState, createTraceState(state).serialize());
  };

  const writeTimes = (to: ProtoWriter, { startedAt, endedAt }: SpanRecord): void => {
    writeTime(to, spanFields.startTime, timeOrigin + startedAt);
    writeTime(to, spanFields.endTime, timeOrigin + Math.max(startedAt, endedAt));
  };

  const writeEvent = (to: ProtoWriter, { name, at, attributes }: EventRecord): void => {
    const begin = to.begin(spanFields.events);
    writeTime(to, eventFields.time, timeOrigin + at);
    to.text(eventFields.name, name);
    writeAttributes(to, eventFields.attributes, attributes);
    to.end(begin);
  };

  const writeEvents = (to: ProtoWriter, events: readonly EventRecord[]): void => {
    for (const event of events.slice(-maxEvents)) writeEvent(to, event);
    to.varint(spanFields.droppedEventsCount, Math.max(0, events.length - maxEvents));
  };

  const writeAttempt = (to: ProtoWriter, record: AttemptRecord): void => {
    const { error, streamFailure, usage, finishReasons } = record;
    to.fields(
      ofAttempts(
        record.operation,
        record.provider,
        record.origin,
        record.askedModel,
        record.path,
        record.target,
        record.attempt,
        record.status,
        streamFailure ?? error,
      ),
    );
    if (usage !== null) {
      to.fields(ofModels(record.model));
      writeUsed(to, usage);
    }
    if (finishReasons !== null) to.fields(ofFinishReasons(...finishReasons));
  };

  const writeRequest = (to: ProtoWriter, record: RequestRecord): void => {
    to.fields(
      ofRequests(
        record.method,
        record.scheme,
        record.endpoint,
        record.status,
        record.cause,
        record.plan,
        record.cacheStatus,
        record.path,
        record.place.parentId === null ? 0 : 1,
        record.spanName === null ? 0 : 1,
      ),
    );
    if (record.spanName !== null) to.text(spanFields.name, record.spanName);
    writeTraceId(to, record.gatewayTraceId);
    if (record.cacheSimilarity !== null) writeSimilarity(to, record.cacheSimilarity);
    if (record.events.length > 0) writeEvents(to, record.events);
  };

  return {
    write(to, record, place) {
      const begin = to.begin(scopeSpansFields.spans, lengthBytes);
      writePlace(to, place);
      writeTimes(to, record);
      if (record.kind === 'request') writeRequest(to, record);
      else writeAttempt(to, record);
      to.end(begin, lengthBytes);
    },
  };
};
