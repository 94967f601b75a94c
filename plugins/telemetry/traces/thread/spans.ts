import type { AttemptRecord, EventRecord, RequestRecord, SpanPlace, TelemetryRecord, UsedTokens } from '../records.ts';
import { amountAttribute, attributeTexts, jsonText, ownAttribute } from './attribute-texts.ts';
import { destinationFacts } from './destination-facts.ts';
import { nanosOf } from './nanos.ts';
import type { Packages } from './packages.ts';
import { remembered } from './remembered.ts';

export interface SpanOptions {
  readonly createTraceState: Packages['api']['createTraceState'];
  /** Milliseconds since the epoch of the zero of the runtime's clock. */
  readonly timeOrigin: number;
}

/** The spans of records, as OTLP has them in JSON. */
export interface Spans {
  /** Undefined where the attempt has none. */
  ofAttempt(record: AttemptRecord): string | undefined;
  ofRequest(record: RequestRecord): string;
}

/** The numbers of https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto. */
const spanKinds = { server: 2, client: 3 } as const;
const statusCodes = { unset: 0, error: 2 } as const;
const spanFlags = { sampled: 0x1, saysIfRemote: 0x100, isRemote: 0x200 } as const;

/** The newest so many of a span's events are kept, as OpenTelemetry has it. */
const mostEvents = 128;

interface SharedFacts {
  readonly name: string;
  readonly kind: number;
  readonly hasFailed: boolean;
  /** Whether its parent is of another process. */
  readonly hasRemoteParent: boolean;
  readonly attributes: Parameters<typeof attributeTexts>[0];
}

/** What a span has of its own. */
interface OwnFacts {
  /** Their texts, of which the first is what it has in common with others. */
  readonly attributes: readonly string[];
  readonly events?: readonly EventRecord[];
}

/** What many spans have in common; the list of attributes is left open. */
const sharedText = ({ name, kind, hasFailed, hasRemoteParent, attributes }: SharedFacts): string => {
  const code = hasFailed ? statusCodes.error : statusCodes.unset;
  const flags = spanFlags.sampled | spanFlags.saysIfRemote | (hasRemoteParent ? spanFlags.isRemote : 0);
  return (
    `"name":${jsonText(name)},"kind":${kind},"status":{"code":${code}},"flags":${flags},"links":[],` +
    `"droppedLinksCount":0,"droppedAttributesCount":0,"attributes":[${attributeTexts(attributes)}`
  );
};

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
    return sharedText({
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
  model === '' ? '' : `,${attributeTexts({ 'gen_ai.response.model': model })}`,
);

const ofFinishReasons = remembered(
  (...reasons: readonly string[]) => `,${attributeTexts({ 'gen_ai.response.finish_reasons': reasons })}`,
);

const amounts = {
  input: amountAttribute('gen_ai.usage.input_tokens'),
  output: amountAttribute('gen_ai.usage.output_tokens'),
  cacheRead: amountAttribute('gen_ai.usage.cache_read.input_tokens'),
  cacheWritten: amountAttribute('gen_ai.usage.cache_creation.input_tokens'),
  reasoning: amountAttribute('gen_ai.usage.reasoning.output_tokens'),
  nanoUsd: amountAttribute('gatewright.cost.nano_usd'),
} as const;

/** What an attempt used, as far as it is known. */
const usedText = ({ input, output, cacheRead, cacheWritten, reasoning, nanoUsd }: UsedTokens): string =>
  amounts.input(input) +
  amounts.output(output) +
  amounts.cacheRead(cacheRead) +
  amounts.cacheWritten(cacheWritten || null) +
  amounts.reasoning(reasoning) +
  amounts.nanoUsd(nanoUsd);

/** One that is not the trace's is whatever text a client has sent. */
const ofTraceId = ownAttribute('gatewright.trace_id');

const ofRequests = remembered(
  (
    method: string,
    endpoint: string,
    status: number,
    cause: string | null,
    plan: string | null,
    cacheStatus: string | null,
    path: string,
    hasRemoteParent: 0 | 1,
  ) =>
    sharedText({
      name: `${method} ${endpoint}`,
      kind: spanKinds.server,
      // What a client did wrong is no error of the server.
      hasFailed: status >= 500,
      hasRemoteParent: hasRemoteParent === 1,
      attributes: {
        'http.request.method': method,
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
 * Writes spans of records. Those of the SDK cannot be given ids, and to make them, and then what is sent of them, costs
 * several times as much.
 */
export const createSpans = ({ createTraceState, timeOrigin }: SpanOptions): Spans => {
  const placeText = ({ traceId, spanId, parentId, state }: SpanPlace): string => {
    const parent = parentId === null ? '' : `,"parentSpanId":"${parentId}"`;
    const states = state === null ? '' : `,"traceState":${JSON.stringify(createTraceState(state).serialize())}`;
    return `"traceId":"${traceId}","spanId":"${spanId}"${parent}${states}`;
  };

  const timeText = ({ startedAt, endedAt }: TelemetryRecord): string =>
    `"startTimeUnixNano":"${nanosOf(timeOrigin + startedAt)}","endTimeUnixNano":"${nanosOf(timeOrigin + Math.max(startedAt, endedAt))}"`;

  const eventText = ({ name, at, attributes }: EventRecord): string =>
    `{"name":${JSON.stringify(name)},"timeUnixNano":"${nanosOf(timeOrigin + at)}","attributes":[${attributeTexts(attributes)}],"droppedAttributesCount":0}`;

  const eventsText = (events: readonly EventRecord[]): string => {
    if (events.length === 0) return '"events":[],"droppedEventsCount":0';
    const kept = events.slice(-mostEvents);
    return `"events":[${kept.map(eventText).join(',')}],"droppedEventsCount":${events.length - kept.length}`;
  };

  // In one piece: spans wait for others, and what is put together later is no longer in the processor's cache.
  const spanText = (record: TelemetryRecord, place: SpanPlace, { attributes, events = [] }: OwnFacts): string =>
    ['{', ...attributes, '],', eventsText(events), ',', timeText(record), ',', placeText(place), '}'].join('');

  return {
    ofAttempt(record) {
      const { place, error, streamFailure, usage, finishReasons } = record;
      if (place === null) return undefined;
      const shared = ofAttempts(
        record.operation,
        record.provider,
        record.origin,
        record.askedModel,
        record.path,
        record.target,
        record.attempt,
        record.status,
        streamFailure ?? error,
      );
      const used = usage === null ? '' : ofModels(record.model) + usedText(usage);
      const reasons = finishReasons === null ? '' : ofFinishReasons(...finishReasons);
      return spanText(record, place, { attributes: [shared, used, reasons] });
    },
    ofRequest(record) {
      const { place, events } = record;
      const shared = ofRequests(
        record.method,
        record.endpoint,
        record.status,
        record.cause,
        record.plan,
        record.cacheStatus,
        record.path,
        place.parentId === null ? 0 : 1,
      );
      return spanText(record, place, { attributes: [shared, ofTraceId(record.gatewayTraceId)], events });
    },
  };
};
