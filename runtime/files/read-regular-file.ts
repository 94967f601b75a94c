import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** Without waiting for whoever writes to a pipe. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

interface Stats {
  readonly size: number;
  isFile(): boolean;
  isDirectory(): boolean;
}

/** A folder is left to the reading, which refuses it with EISDIR. */
const refuse = (stats: Stats, maxBytes: number): void => {
  if (!stats.isFile() && !stats.isDirectory()) throw new Error('It is a pipe or a device. Put a regular file there.');
  if (stats.size > maxBytes) throw new Error(`It has more than ${maxBytes} bytes. Make it smaller.`);
};

/**
 * Reads a file, or what a link leads to. Rejects with a sentence that says why, and what to do, for a pipe or a device,
 * which may never end, and for what is larger than `maxBytes`; otherwise as `readFile` does.
 */
export const readRegularFile = async (file: string, maxBytes: number): Promise<Buffer> => {
  const opened = await open(file, flags);
  try {
    refuse(await opened.stat(), maxBytes);
    return await opened.readFile();
  } finally {
    await opened.close();
  }
};

/** The same, at once. */
export const readRegularFileSync = (file: string, maxBytes: number): Buffer => {
  const opened = openSync(file, flags);
  try {
    refuse(fstatSync(opened), maxBytes);
    return readFileSync(opened);
  } finally {
    closeSync(opened);
  }
};
