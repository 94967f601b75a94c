import { headerValue, type RawHeaders } from '../../sdk/http.ts';

/** What a client's `traceparent` and `tracestate` say (https://www.w3.org/TR/trace-context/). */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
  readonly state: string | undefined;
  /** The header as it was received. */
  readonly text: string;
}

const sampledFlag = 1;
const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;

/** The parent that a request names; undefined if it names none, or not in the form of the specification. */
export const traceParentOf = (headers: RawHeaders): TraceParent | undefined => {
  const text = headerValue(headers, 'traceparent');
  if (text === undefined) return undefined;
  const [, traceId, spanId, flags] = form.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const sampled = (Number.parseInt(flags, 16) & sampledFlag) === sampledFlag;
  return { traceId, spanId, sampled, state: headerValue(headers, 'tracestate'), text };
};

/** A span as the value of `traceparent`. */
export const writeTraceParent = (span: {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}): string => `00-${span.traceId}-${span.spanId}-${span.sampled ? '01' : '00'}`;
