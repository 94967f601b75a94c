/** Allocates bytes that threads share, so that passing them to another thread copies nothing. */
export const sharedBytes = (length: number): Buffer => Buffer.from(new SharedArrayBuffer(length));

/** Copies bytes into memory that threads share. */
export const toSharedBytes = (bytes: Uint8Array): Buffer => {
  const shared = sharedBytes(bytes.length);
  shared.set(bytes);
  return shared;
};
