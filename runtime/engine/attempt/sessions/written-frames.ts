/** The first byte of a frame with a whole text, and of one that closes (RFC 6455 §5.2). */
const wholeText = 0x81;
const closing = 0x88;

const shortLength = 125;
const twoBytes = 126;
const maxTwoBytes = 0xffff;
const eightBytes = 127;

/** The longest reason of a close frame in bytes (RFC 6455 §5.5). */
const maxReason = 123;

const toHead = (first: number, length: number): Buffer => {
  if (length <= shortLength) return Buffer.from([first, length]);
  if (length <= maxTwoBytes) return Buffer.from([first, twoBytes, length >> 8, length & 0xff]);
  const head = Buffer.alloc(10);
  head[0] = first;
  head[1] = eightBytes;
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
};

const frame = (first: number, payload: Buffer): Buffer => Buffer.concat([toHead(first, payload.length), payload]);

/** Returns a server's frame with a whole text. */
export const textFrame = (text: string): Buffer => frame(wholeText, Buffer.from(text));

/** Returns the frame with which a server closes. `code` is one of RFC 6455 §7.4.1, and `reason` is ASCII. */
export const closeFrame = (code: number, reason: string): Buffer =>
  frame(closing, Buffer.concat([Buffer.from([code >> 8, code & 0xff]), Buffer.from(reason.slice(0, maxReason))]));
