const digitsOfPart = 8;
const parts = [0, 1, 2, 3];

/** Folds the four quarters of a trace id of 32 hexadecimal digits into one 32-bit number. */
const folded = (traceId: string): number =>
  parts.reduce(
    (sum, part) => sum ^ Number.parseInt(traceId.slice(part * digitsOfPart, (part + 1) * digitsOfPart), 16),
    0,
  ) >>> 0;

const isW3c = (traceId: string): boolean => /^[\da-f]{32}$/i.test(traceId);

/** Hashes any text to a 32-bit number: FNV-1a, followed by another mixing step because ids often differ only at the end. */
const hashed = (text: string): number => {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  sum = Math.imul(sum ^ (sum >>> 13), 0xc2b2ae35);
  return (sum ^ (sum >>> 16)) >>> 0;
};

/**
 * Creates a function that decides by the id whether a trace that starts here is kept. `ratio` is the share of traces, from 0 to
 * 1. It is the rule of OpenTelemetry's `TraceIdRatioBasedSampler`, so that others who start the same trace decide alike. Ids of
 * another form are hashed.
 */
export const traceSampler = (ratio: number): ((traceId: string) => boolean) => {
  if (ratio >= 1) return () => true;
  const bound = Math.floor(ratio * 0xffff_ffff);
  return bound === 0 ? () => false : (traceId) => (isW3c(traceId) ? folded(traceId) : hashed(traceId)) < bound;
};
