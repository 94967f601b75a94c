/** The first 32 bits of the fractional parts of the roots of the first primes (FIPS 180-4). */
const fractions = (count: number, root: number): Int32Array => {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate += 1) {
    let isPrime = true;
    for (let factor = 2; factor * factor <= candidate && isPrime; factor += 1) isPrime = candidate % factor !== 0;
    const power = candidate ** (1 / root);
    if (isPrime) found.push(((power - Math.floor(power)) * 2 ** 32) | 0);
  }
  return Int32Array.from(found);
};

const roundConstants = fractions(64, 3);
const initial = fractions(8, 2);

const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** Returns the text followed by its length, padded to whole blocks. */
const toBlocks = (text: string): DataView => {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array((((bytes.length + 8) >> 6) << 6) + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  return view;
};

/** Returns the SHA-256 of a text in hexadecimal, for environments without Node's implementation. */
export const sha256 = (text: string): string => {
  const blocks = toBlocks(text);
  const state = Int32Array.from(initial);
  const words = new Int32Array(64);
  for (let block = 0; block < blocks.byteLength; block += 64) {
    for (let at = 0; at < 64; at += 1) {
      const [w2, w15] = [words[at - 2] ?? 0, words[at - 15] ?? 0];
      const low = rotated(w15, 7) ^ rotated(w15, 18) ^ (w15 >>> 3);
      const high = rotated(w2, 17) ^ rotated(w2, 19) ^ (w2 >>> 10);
      words[at] = at < 16 ? blocks.getInt32(block + at * 4) : (words[at - 16] ?? 0) + low + (words[at - 7] ?? 0) + high;
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
    for (let at = 0; at < 64; at += 1) {
      const high = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
      const one = (h + high + ((e & f) ^ (~e & g)) + (roundConstants[at] ?? 0) + (words[at] ?? 0)) | 0;
      const low = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
      const two = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, at) => {
      state[at] = (state[at] ?? 0) + word;
    });
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
};
