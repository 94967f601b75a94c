/** Encodes a vector as 32-bit floats in base64, the lowest byte first, as in OpenAI's format. */
export const toBase64 = (vector: readonly number[]): string => {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes.toString('base64');
};

/** Decodes such a text. Throws a `TypeError` if it is not a vector. */
export const fromBase64 = (text: string): readonly number[] => {
  // The decoder would skip characters that are not base64.
  const bytes = Buffer.from(/^[A-Za-z0-9+/_-]*={0,2}$/.test(text) ? text : '', 'base64');
  if (bytes.length === 0 || bytes.length % 4 !== 0)
    throw new TypeError('it has a vector that is not a list of 32-bit floats.');
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
};
