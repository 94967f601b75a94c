import { writeHex } from './hex-bytes.ts';

/** In bytes. */
const idLength = 16;

/** The milliseconds since the epoch that a UUID of version 7 holds. */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** A UUID as the log keeps it, in 16 bytes. */
export const idBytes = (id: string): Uint8Array => {
  const bytes = Buffer.allocUnsafe(idLength);
  if (writeHex(id, bytes, 0) !== idLength) throw new TypeError(`${id} is no UUID.`);
  return bytes;
};

/** The smallest UUID of version 7 of a time, in milliseconds since the epoch. */
export const toFirstId = (time: number): string => {
  const digits = Math.max(0, Math.floor(time)).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
};
