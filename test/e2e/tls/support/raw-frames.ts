export interface Frame {
  readonly type: number;
  readonly flags?: number;
  readonly stream?: number;
  readonly payload?: Buffer;
}

/** Frame types, and the flags for a complete header section and for the last frame of a stream (RFC 9113 §6). */
export const frames = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, continuation: 9 } as const;
export const endHeaders = 4;
export const endStream = 1;

export const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

/** Returns a frame as RFC 9113 §4.1 defines it. */
export const toFrame = ({ type, flags = 0, stream = 0, payload = Buffer.alloc(0) }: Frame): Buffer => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
};

/** Returns an uncompressed HPACK string (RFC 7541 §5). */
const toText = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  if (bytes.length < 0x7f) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length = [0x7f];
  let rest = bytes.length - 0x7f;
  for (; rest >= 0x80; rest >>= 7) length.push((rest & 0x7f) | 0x80);
  return Buffer.concat([Buffer.from([...length, rest]), bytes]);
};

/** Returns header lines in HPACK without references to a table. */
export const toSection = (lines: Readonly<Record<string, string>>): Buffer =>
  Buffer.concat(Object.entries(lines).flatMap(([name, value]) => [Buffer.from([0x00]), toText(name), toText(value)]));
