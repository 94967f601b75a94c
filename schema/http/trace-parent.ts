/** The parts of a `traceparent`: a trace of 32 hexadecimal digits, and a span of 16. */
export interface ReadTraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

const sampledFlag = 1;
/** The offsets of the parts, which are the same in all versions. */
const places = { traceId: 3, spanId: 36, flags: 53, end: 55 } as const;
const digits = { traceId: 32, spanId: 16 } as const;
const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:$|-)/;

/** Version 00 has 55 characters. Later versions may have more, and ff is not a version. */
const isValid = (text: string): boolean => (text.length === places.end || !text.startsWith('00')) && form.test(text);

/** Parses a `traceparent` as W3C specifies (https://www.w3.org/TR/trace-context/); undefined if it is invalid. */
export const readTraceParent = (text: string): ReadTraceParent | undefined => {
  if (!isValid(text)) return undefined;
  const flags = Number.parseInt(text.slice(places.flags, places.end), 16);
  return {
    traceId: text.slice(places.traceId, places.traceId + digits.traceId),
    spanId: text.slice(places.spanId, places.spanId + digits.spanId),
    sampled: (flags & sampledFlag) === sampledFlag,
  };
};
