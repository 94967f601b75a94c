/** A vector as 32-bit floats in base64, the lowest byte first, as OpenAI and those who follow it write it. */
export const toBase64 = (vector: readonly number[]): string => {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes.toString('base64');
};

/** The vector that such a text is. Throws a `TypeError` for one that is none. */
export const fromBase64 = (text: string): readonly number[] => {
  // What is no base64 is passed over by the decoder.
  const bytes = Buffer.from(/^[A-Za-z0-9+/_-]*={0,2}$/.test(text) ? text : '', 'base64');
  if (bytes.length === 0 || bytes.length % 4 !== 0)
    throw new TypeError('it has a vector that is no list of 32-bit floats.');
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
};
