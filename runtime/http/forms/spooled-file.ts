import { randomBytes } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import path from 'node:path';
import { passChunk } from './chunk-garbage.ts';
import type { FormSource } from './form-source.ts';

/** How many bytes are read from the file at once. */
const chunkBytes = 64 * 1024;

/**
 * A file for one form, which only the gateway can read and which no longer has a name: whatever happens to the process, nothing
 * of it remains.
 */
export class SpooledFile implements FormSource {
  length = 0;
  readonly #handle: FileHandle;
  #isClosed = false;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Rejects with the error of the file system. */
  static async open(folder: string): Promise<SpooledFile> {
    const name = path.join(folder, `gateway-form-${randomBytes(16).toString('hex')}`);
    const handle = await open(name, 'wx+', 0o600);
    try {
      await unlink(name);
    } catch (error) {
      await handle.close();
      throw error;
    }
    return new SpooledFile(handle);
  }

  /** Adds bytes at the end. Rejects with the error of the file system. */
  async write(chunk: Uint8Array): Promise<void> {
    for (let written = 0; written < chunk.length; ) {
      const { bytesWritten } = await this.#handle.write(chunk, written, chunk.length - written, this.length);
      written += bytesWritten;
      this.length += bytesWritten;
    }
    passChunk(chunk);
  }

  async *read(from: number, to: number): AsyncGenerator<Uint8Array, void> {
    for (let at = from; at < to; ) {
      const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, to - at));
      const { bytesRead } = await this.#handle.read(chunk, 0, chunk.length, at);
      if (bytesRead === 0) throw new Error('The file of a form has become shorter.');
      at += bytesRead;
      yield chunk.subarray(0, bytesRead);
      passChunk(chunk);
    }
  }

  /** Releases its bytes on the disk. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#handle.close().catch(() => {});
  }
}
