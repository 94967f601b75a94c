import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../../../schema/text/error-code.ts';
import { fileError } from '../../../schema/text/file-error.ts';

/** Opening a pipe does not wait for a writer: such a wait cannot be ended, and the process could not exit. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

const chunkBytes = 65_536;
const pollMs = 20;

/** More bytes than any file has that a command reads whole. */
const maxBytes = 64 * 1024 * 1024;

export interface PipeOptions {
  /** How long to wait for a pipe that nothing writes to. Default: 10 seconds. */
  readonly waitMs?: number | undefined;
}

const unreadable = (code: 'ERR_SILENT_PIPE' | 'ERR_ENDLESS_FILE'): Error => {
  const error = Object.assign(new Error(code), { code });
  error.message = fileError(error);
  return error;
};

/** Reads up to `chunk.length` bytes. Resolves to undefined if there are none yet, but a writer has opened the pipe. */
const readSome = async (handle: FileHandle, chunk: Buffer): Promise<number | undefined> => {
  try {
    return (await handle.read(chunk, 0, chunk.length, null)).bytesRead;
  } catch (error) {
    if (errorCode(error) !== 'EAGAIN') throw error;
    return undefined;
  }
};

/**
 * Yields the bytes of an opened file. For a pipe that no process has written to, waits up to `waitMs`, and then throws an error with
 * the code `ERR_SILENT_PIPE`. While a writer has it open, waits without a limit.
 */
async function* readOpened(handle: FileHandle, waitMs: number): AsyncGenerator<Buffer> {
  const isPipe = (await handle.stat()).isFIFO();
  // Without a writer, a pipe seems to be at its end. Only after a writer has been there is it.
  let hadWriter = !isPipe;
  for (let waited = 0; ; ) {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const read = await readSome(handle, chunk);
    if (read !== 0) hadWriter = true;
    else if (hadWriter) return;
    if (read !== undefined && read > 0) yield chunk.subarray(0, read);
    else if (!hadWriter && waited >= waitMs) throw unreadable('ERR_SILENT_PIPE');
    else {
      await sleep(pollMs);
      waited += pollMs;
    }
  }
}

/**
 * Yields the bytes of a file, a pipe or a device as they arrive. Throws like `open` and `read` of Node, or for a pipe that nothing is
 * written to, an error that `fileError` explains.
 */
export async function* readChunksOrPipe(file: string, { waitMs = 10_000 }: PipeOptions = {}): AsyncGenerator<Buffer> {
  const handle = await open(file, flags);
  try {
    yield* readOpened(handle, waitMs);
  } finally {
    await handle.close();
  }
}

/**
 * Reads a file, a pipe or a device to its end. Rejects like `readFile` of Node, or with an error that `fileError` explains: for a pipe
 * that nothing is written to, and for a pipe or a device with more than 64 MiB, such as `/dev/zero`.
 */
export const readFileOrPipe = async (file: string, { waitMs = 10_000 }: PipeOptions = {}): Promise<Buffer> => {
  const handle = await open(file, flags);
  try {
    const found = await handle.stat();
    if (found.isFile() || found.isDirectory()) return await handle.readFile();
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of readOpened(handle, waitMs)) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw unreadable('ERR_ENDLESS_FILE');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    await handle.close();
  }
};
