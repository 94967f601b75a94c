import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** Does not wait for a writer if the file is a pipe. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

interface Stats {
  readonly size: number;
  isFile(): boolean;
  isDirectory(): boolean;
}

/** A folder is not refused here, because reading it fails with EISDIR. */
const refuse = (stats: Stats, maxBytes: number): void => {
  if (!stats.isFile() && !stats.isDirectory()) throw new Error('It is a pipe or a device. Put a regular file there.');
  if (stats.size > maxBytes) throw new Error(`It is larger than ${maxBytes} bytes. Make it smaller.`);
};

/**
 * Reads a file, following links. For a pipe or a device, which may never end, and for a file larger than `maxBytes`, rejects with
 * a sentence that says why, and what to do. Otherwise rejects like `readFile`.
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

/** Does the same synchronously. */
export const readRegularFileSync = (file: string, maxBytes: number): Buffer => {
  const opened = openSync(file, flags);
  try {
    refuse(fstatSync(opened), maxBytes);
    return readFileSync(opened);
  } finally {
    closeSync(opened);
  }
};
