/** Chunks with fewer bytes are small. */
const smallBytes = 16 * 1024;
/** The list is examined each time it has grown by this many chunks. */
const examined = 256;

/** Adds a chunk of a body to the chunks held so far, and joins small chunks from time to time. */
export const holdChunk = (chunks: Buffer[], chunk: Buffer): void => {
  chunks.push(chunk);
  if (chunks.length % examined !== 0) return;
  let from = chunks.length;
  for (let last = chunks[from - 1]; last !== undefined && last.length < smallBytes; last = chunks[from - 1]) from -= 1;
  const small = chunks.length - from;
  // Each chunk has an overhead of more than a hundred bytes, and keeps everything alive that was read with it.
  if (small >= examined / 2) chunks.push(Buffer.concat(chunks.splice(from, small)));
};
