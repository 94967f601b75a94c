/** Bytes as a `Buffer`, the same memory: plugins may hand over any `Uint8Array`, and the gateway's own are Buffers. */
export const toBuffer = (bytes: Uint8Array): Buffer =>
  bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
