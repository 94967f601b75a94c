import { writeHex } from './hex-bytes.ts';

/** How the text of a trace is kept: as it is, of its hexadecimal digits the bytes, or a UUID. The views of the log read it. */
const [asText, asHex, asUuid] = [0, 1, 2];

const hexLength = 32;
const uuid = /^.{8}(?:-.{4}){3}-.{12}$/;
const uuidLength = 36;
/** With the byte that says how it is kept. */
const digitsBytes = 17;

const ofDigits = (kind: number, digits: string): Uint8Array | undefined => {
  const bytes = Buffer.allocUnsafe(digitsBytes);
  bytes[0] = kind;
  return writeHex(digits, bytes, 1) === digitsBytes - 1 ? bytes : undefined;
};

const shortBytes = (trace: string): Uint8Array | undefined => {
  if (trace.length === hexLength) return ofDigits(asHex, trace);
  return trace.length === uuidLength && uuid.test(trace) ? ofDigits(asUuid, trace) : undefined;
};

/** The id of a trace in few bytes. */
export const traceBytes = (trace: string): Uint8Array =>
  shortBytes(trace) ?? Buffer.concat([Buffer.of(asText), Buffer.from(trace)]);

/** FNV-1a, in 32 bits. */
const toHash = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

/** The blocks of one part of the index of traces: a transaction changes few pages of it, whatever its traces are. */
const blocksOfPart = 256;
const hashes = 2 ** 32;

/** Which part of the index of traces has the records of a block. */
export const tracePart = (block: number): number => Math.floor(block / blocksOfPart);

/** By what the records of a trace are found in a part of the index. Others may have the same. */
export const traceKey = (part: number, trace: string): number => part * hashes + toHash(trace);
