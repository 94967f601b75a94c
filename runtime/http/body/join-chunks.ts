/** Checks whether a chunk is all of its memory, and not a part of what Node reads into, or of its pool for small ones. */
const isAlone = (chunk: Buffer): boolean => chunk.length > 0 && chunk.length === chunk.buffer.byteLength;

/**
 * Joins the chunks of a body, which nobody else has, and gives their memory back at once. V8 sees a few bytes of each, since
 * their memory is not in its heap: it would keep them until there are 64 MB of them, and then look through all of its heap.
 */
export const joinChunks = (chunks: readonly Buffer[]): Buffer => {
  const joined = Buffer.concat(chunks);
  for (const chunk of chunks) if (isAlone(chunk) && chunk.buffer instanceof ArrayBuffer) chunk.buffer.transfer(0);
  return joined;
};
