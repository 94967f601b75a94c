import type { Kysely } from 'kysely';
import type { LogTables } from './log-store.ts';

/** Finds the number of a record by its id. */
export const findNumber = async (db: Kysely<LogTables>, id: string): Promise<number | undefined> => {
  const time = timeOfId(id);
  const bytes = idBytes(id);
  const row = await db
    .selectFrom('log_rows')
    .select('number')
    .where('number', '>=', toFirstNumber(time))
    .where('number', '<', toFirstNumber(time + 1))
    .where('id', '=', bytes)
    .executeTakeFirst();
  const found = row ?? (await db.selectFrom('log_moved').select('number').where('id', '=', bytes).executeTakeFirst());
  return found?.number;
};

/** How many numbers a millisecond has. */
const perMillisecond = 1024;

const latest = Math.floor(Number.MAX_SAFE_INTEGER / perMillisecond);

/** Returns the first number of a record at a time, in milliseconds since the epoch. Numbers increase with time. */
export const toFirstNumber = (time: number): number => Math.min(Math.max(0, Math.floor(time)), latest) * perMillisecond;

/** Reads the time of a number. */
export const timeOfNumber = (number: number): number => Math.floor(number / perMillisecond);

/**
 * How the text of a trace is stored: unchanged, as the bytes of its hexadecimal digits, or as a UUID. The views of the log read
 * it.
 */
const [asText, asHex, asUuid] = [0, 1, 2];

const hexLength = 32;
const uuid = /^.{8}(?:-.{4}){3}-.{12}$/;
const uuidLength = 36;
/** Including the byte that names the form. */
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

/** Encodes the id of a trace in few bytes. */
export const traceBytes = (trace: string): Uint8Array =>
  shortBytes(trace) ?? Buffer.concat([Buffer.of(asText), Buffer.from(trace)]);

/** Computes FNV-1a, in 32 bits. */
const toHash = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

/** How many blocks one part of the index of traces has. A transaction changes few pages of a part, whatever its traces are. */
const blocksOfPart = 256;
const hashes = 2 ** 32;

/** Returns the part of the index of traces that has the records of a block. */
export const tracePart = (block: number): number => Math.floor(block / blocksOfPart);

/** Returns the key of a trace in a part of the index. Other traces may have the same key. */
export const traceKey = (part: number, trace: string): number => part * hashes + toHash(trace);

const codes = 128;
const none = 255;
const hyphen = 45;

/** The value of each hexadecimal digit in lower case, by character code. */
const digits = new Uint8Array(codes).fill(none);
for (const [value, digit] of [...'0123456789abcdef'].entries()) digits[digit.charCodeAt(0)] = value;

/**
 * Writes the bytes of hexadecimal digits, which may have hyphens between them. Returns how many digits there were; -1 for any
 * other text.
 */
const writeHex = (text: string, bytes: Uint8Array, start: number): number => {
  let at = start;
  let high = -1;
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    if (code === hyphen) continue;
    const digit = code < codes ? (digits[code] ?? none) : none;
    if (digit === none || at === bytes.length) return -1;
    if (high === -1) high = digit;
    else {
      bytes[at] = high * 16 + digit;
      high = -1;
      at += 1;
    }
  }
  return high === -1 ? at - start : -1;
};

/** In bytes. */
const idLength = 16;

/** Reads the milliseconds since the epoch that a UUID of version 7 holds. */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** Writes a UUID in 16 bytes, as the log stores it. */
export const idBytes = (id: string): Uint8Array => {
  const bytes = Buffer.allocUnsafe(idLength);
  if (writeHex(id, bytes, 0) !== idLength) throw new TypeError(`${id} is not a UUID.`);
  return bytes;
};

/** Returns the smallest UUID of version 7 for a time, in milliseconds since the epoch. */
export const toFirstId = (time: number): string => {
  const digits = Math.max(0, Math.floor(time)).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
};
