/** Checks whether a chunk has its memory to itself, and is not part of Node's read buffer or its pool for small chunks. */
const isAlone = (chunk: Buffer): boolean => chunk.length > 0 && chunk.length === chunk.buffer.byteLength;

/**
 * Joins the chunks of a body, which nobody else uses, and frees their memory immediately. Their memory is outside V8's heap, so
 * V8 sees only a few bytes of each: it would keep them until there are 64 MB of them, and then search its whole heap.
 */
export const joinChunks = (chunks: readonly Buffer[]): Buffer => {
  const joined = Buffer.concat(chunks);
  for (const chunk of chunks) if (isAlone(chunk) && chunk.buffer instanceof ArrayBuffer) chunk.buffer.transfer(0);
  return joined;
};
