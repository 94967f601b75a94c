/** The parts of a `traceparent`: a trace of 32 hexadecimal digits, and a span of 16. */
export interface ReadTraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

const sampledFlag = 1;
/** The version, the trace, the span, the flags, and what only later versions have. No version is ff, and no id is zero. */
const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/s;

/** Parses a `traceparent` as W3C specifies (https://www.w3.org/TR/trace-context/); undefined if it is invalid. */
export const readTraceParent = (text: string): ReadTraceParent | undefined => {
  const [, version, traceId, spanId, flags, more] = form.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || (version === '00' && more !== undefined)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags ?? '', 16) & sampledFlag) === sampledFlag };
};
