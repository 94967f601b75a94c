/** The error of stored bytes: they cannot be reached now, or they are not what was written. */
type BlobReason = 'unavailable' | 'damaged';

/** Bytes cannot be written or read. The message is a sentence for the operator: what is the case, and what to do. */
export class BlobError extends Error {
  override readonly name = 'BlobError';
  readonly error: BlobReason;

  constructor(reason: BlobReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.error = reason;
  }
}

/** A part of some bytes, from 0; `to` is behind its last byte. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** A place for sealed bytes: a folder, or a bucket. Ids are random. All methods reject with a `BlobError`. */
export interface BlobStorage {
  /** Keeps all of the bytes, or, where they break off or the process ends, nothing that can be read. */
  write(id: string, bytes: AsyncIterable<Buffer>): Promise<void>;
  read(id: string, range: ByteRange): AsyncIterable<Uint8Array>;
  /** Removes it, and what an interrupted `write` has left; nothing happens where there is nothing. */
  remove(id: string): Promise<void>;
}
