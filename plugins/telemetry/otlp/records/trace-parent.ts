import { type ReadTraceParent, readTraceParent } from '../../../../schema/http/trace-parent.ts';
import { onlyNames } from '../../../sdk/http/header-lines.ts';
import { headerValue, type RawHeaders } from '../../../sdk/http/http.ts';

/** The contents of a client's `traceparent` and `tracestate`. */
export interface TraceParent extends ReadTraceParent {
  readonly state: string | undefined;
  /** The header as received. */
  readonly text: string;
}

/**
 * Returns the list of `tracestate`, which may be split across several headers:
 * https://www.w3.org/TR/trace-context/#tracestate-header
 */
const findState = (headers: RawHeaders): string | undefined => {
  const values = onlyNames(headers, ['tracestate']).filter((_, at) => at % 2 === 1);
  return values.length === 0 ? undefined : values.join(',');
};

/** Returns the parent that a request names. Undefined if there is none, or if it does not have the form of the specification. */
export const findTraceParent = (headers: RawHeaders): TraceParent | undefined => {
  const text = headerValue(headers, 'traceparent');
  const read = text === undefined ? undefined : readTraceParent(text);
  if (text === undefined || read === undefined) return undefined;
  const { traceId, spanId, sampled } = read;
  return { traceId, spanId, sampled, state: findState(headers), text };
};

/** Formats a span as the value of `traceparent`. */
export const writeTraceParent = (span: ReadTraceParent): string =>
  `00-${span.traceId}-${span.spanId}-${span.sampled ? '01' : '00'}`;
