/** The first byte of a frame with a whole text, and of one that closes (RFC 6455 §5.2). */
const wholeText = 0x81;
const closing = 0x88;

const shortLength = 125;
const twoBytes = 126;
const maxLength = 0xffff;

/** The longest reason of a close frame in bytes (RFC 6455 §5.5). */
const maxReason = 123;

const frame = (first: number, payload: Buffer): Buffer => {
  const { length } = payload;
  const head =
    length <= shortLength ? Buffer.from([first, length]) : Buffer.from([first, twoBytes, length >> 8, length & 0xff]);
  return Buffer.concat([head, payload]);
};

/** Returns a server's frame with a whole text, of which at most 64 KB are sent. */
export const textFrame = (text: string): Buffer => frame(wholeText, Buffer.from(text).subarray(0, maxLength));

/** Returns the frame with which a server closes. `code` is one of RFC 6455 §7.4.1, and `reason` is ASCII. */
export const closeFrame = (code: number, reason: string): Buffer =>
  frame(closing, Buffer.concat([Buffer.from([code >> 8, code & 0xff]), Buffer.from(reason.slice(0, maxReason))]));
