/**
 * Counts of durations, by buckets of microseconds. Each power of two is divided into 32 buckets of the same width, so that the
 * middle of a bucket differs from every value in it by at most 1/64 (1.6 %). Below 32 µs each value has its own bucket.
 * Histograms of several hours are added up without loss.
 */
export type Histogram = ReadonlyMap<number, number>;

/** The maximum difference between a percentile and the exact one, as a share of the latter. */
export const largestError: number = 1 / 64;

/** The number of buckets in a power of two. */
const perOctave = 32;
const octaveBits = 5;

/** Returns the bucket of a duration in microseconds. */
export const toBucket = (micros: number): number => {
  const whole = Math.min(Math.max(0, Math.floor(micros)), Number.MAX_SAFE_INTEGER);
  if (whole < perOctave) return whole;
  let octave = Math.floor(Math.log2(whole));
  // Logarithms of numbers slightly below a power of two are rounded up to it.
  if (2 ** octave > whole) octave -= 1;
  return (octave - octaveBits) * perOctave + Math.floor(whole / 2 ** (octave - octaveBits));
};

/** Returns the middle of a bucket in microseconds. */
export const middleOf = (bucket: number): number => {
  if (bucket < 2 * perOctave) return bucket;
  const octave = Math.floor(bucket / perOctave) - 1;
  return (bucket - octave * perOctave) * 2 ** octave + (2 ** octave - 1) / 2;
};

/** Adds to the count of a bucket. */
export const countIn = (histogram: Map<number, number>, bucket: number, count = 1): void => {
  histogram.set(bucket, (histogram.get(bucket) ?? 0) + count);
};

/** Adds one histogram to another. */
export const addHistogram = (to: Map<number, number>, from: Histogram): void => {
  for (const [bucket, count] of from) countIn(to, bucket, count);
};

/**
 * Returns the number of microseconds that a share (0.95) of the durations do not exceed: of `n` sorted durations, the one at
 * position `ceil(share * n)`, with an error of at most `largestError`. Undefined if there are none.
 */
export const percentile = (histogram: Histogram, share: number): number | undefined => {
  const buckets = [...histogram].sort(([a], [b]) => a - b);
  const wanted = Math.max(1, Math.ceil(share * buckets.reduce((sum, [, count]) => sum + count, 0)));
  let seen = 0;
  for (const [bucket, count] of buckets) {
    seen += count;
    if (seen >= wanted) return middleOf(bucket);
  }
  return undefined;
};

const lowBits = 128;

const writeNumber = (to: number[], value: number): void => {
  let rest = value;
  for (; rest >= lowBits; rest = Math.floor(rest / lowBits)) to.push((rest % lowBits) + lowBits);
  to.push(rest);
};

/** Writes a histogram compactly: for each bucket its distance from the previous one, and its count, in seven bits a byte. */
export const histogramBytes = (histogram: Histogram): Uint8Array => {
  const bytes: number[] = [];
  let before = 0;
  for (const bucket of Float64Array.from(histogram.keys()).sort()) {
    writeNumber(bytes, bucket - before);
    writeNumber(bytes, histogram.get(bucket) ?? 0);
    before = bucket;
  }
  return Uint8Array.from(bytes);
};

/** Adds a histogram that `histogramBytes` wrote to another. */
export const addHistogramBytes = (to: Map<number, number>, bytes: Uint8Array): void => {
  let at = 0;
  const read = (): number => {
    let value = 0;
    for (let factor = 1; at < bytes.length; factor *= lowBits) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value += (byte % lowBits) * factor;
      if (byte < lowBits) break;
    }
    return value;
  };
  for (let bucket = 0; at < bytes.length; ) {
    bucket += read();
    countIn(to, bucket, read());
  }
};
