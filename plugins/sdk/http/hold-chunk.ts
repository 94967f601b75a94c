/** Chunks of fewer bytes are small. */
const smallBytes = 16 * 1024;
/** The list is examined each time that it has so many chunks more. */
const examined = 256;

/** Adds a chunk of a body to those that are held of it. */
export const holdChunk = (chunks: Buffer[], chunk: Buffer): void => {
  chunks.push(chunk);
  if (chunks.length % examined !== 0) return;
  let from = chunks.length;
  for (let last = chunks[from - 1]; last !== undefined && last.length < smallBytes; last = chunks[from - 1]) from -= 1;
  const small = chunks.length - from;
  // Each takes more than a hundred bytes beside its own, and keeps all that was read with it.
  if (small >= examined / 2) chunks.push(Buffer.concat(chunks.splice(from, small)));
};
