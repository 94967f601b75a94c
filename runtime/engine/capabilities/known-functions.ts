/** The functions of a request, as bytes. */
interface KnownFunctions {
  /** From the opening bracket of the list to its closing bracket. */
  readonly bytes: Buffer;
  /** The number of strings, objects and lists in it. */
  readonly values: number;
}

/** Longer lists are read each time. */
const longest = 32 * 1024;

/** Each list has one slot, which holds the list that was read last. The size is a power of two. */
const places = 64;
const known: (KnownFunctions | undefined)[] = new Array(places).fill(undefined);

/** The offsets of the bytes that choose a list's slot. The first bytes of most lists are the same. */
const sampled = [41, 47, 53, 61, 71, 83, 97, 109, 137, 173];

const placeOf = (bytes: Buffer, from: number): number => {
  let sum = 0;
  for (const offset of sampled) sum = (sum * 31 + (bytes[from + offset] ?? 0)) | 0;
  return sum & (places - 1);
};

/**
 * Finds a list of functions that was read before, at an offset where one begins. Agents send the same list with each of their
 * requests, and comparing its bytes is faster than reading them.
 */
export const findFunctions = (bytes: Buffer, from: number): KnownFunctions | undefined => {
  const found = known[placeOf(bytes, from)];
  if (found === undefined) return undefined;
  const to = from + found.bytes.length;
  if (to > bytes.length || found.bytes.compare(bytes, from, to) !== 0) return undefined;
  return found;
};

/** Remembers a list of functions that has been read. */
export const keepFunctions = (bytes: Buffer, from: number, to: number, values: number): void => {
  if (to - from <= longest) known[placeOf(bytes, from)] = { bytes: Buffer.from(bytes.subarray(from, to)), values };
};
