/** Bytes as a `Buffer` over the same memory: plugins may pass any `Uint8Array`; the gateway's own are Buffers. */
export const toBuffer = (bytes: Uint8Array): Buffer =>
  bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
