/** Bytes that threads share, so that handing them over copies nothing. */
export const sharedBytes = (length: number): Buffer => Buffer.from(new SharedArrayBuffer(length));
