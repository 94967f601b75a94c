/** Returns bytes as a `Buffer` over the same memory. Plugins may pass any `Uint8Array`; the gateway itself uses Buffers. */
export const toBuffer = (bytes: Uint8Array): Buffer =>
  bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
