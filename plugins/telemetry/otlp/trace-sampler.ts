const digitsOfPart = 8;
const parts = [0, 1, 2, 3];

/** The four quarters of a trace id as one number of 32 bits. */
const folded = (traceId: string): number =>
  parts.reduce(
    (sum, part) => sum ^ Number.parseInt(traceId.slice(part * digitsOfPart, (part + 1) * digitsOfPart), 16),
    0,
  ) >>> 0;

/**
 * Whether a trace that begins here is kept: a share of all, 0 to 1, by their ids alone. It is the rule of OpenTelemetry's
 * `TraceIdRatioBasedSampler`, so that others who begin the same trace decide alike.
 */
export const traceSampler = (ratio: number): ((traceId: string) => boolean) => {
  if (ratio >= 1) return () => true;
  const bound = Math.floor(ratio * 0xffff_ffff);
  return bound === 0 ? () => false : (traceId) => folded(traceId) < bound;
};
