import type { Writing } from '../../kernel/store/store.ts';
import type { ByteRange } from './blob-storage.ts';

/** Bytes that are kept, as whoever keeps them notes it: it is JSON. */
export interface BlobRef {
  readonly id: string;
  /** The id of a workspace. */
  readonly tenant: string;
  /** The id of the data key that they are sealed with. */
  readonly key: string;
  /** How many they are. */
  readonly bytes: number;
  /** Of the bytes, in hexadecimal digits. */
  readonly sha256: string;
}

export interface NewBlob {
  /** The id of a workspace. */
  readonly tenant: string;
  /** Whether it is removed after a day unless `keep` was called, as where a process ends in between; false if absent. */
  readonly isProvisional?: boolean;
}

/** Bytes of workspaces, sealed at rest. All methods reject with a `BlobError`, a `SecretError` or a `StoreError`. */
export interface Blobs {
  /** Keeps all of the bytes, or, where they break off, nothing. Not to be called inside `Store.write`. */
  write(at: NewBlob, bytes: AsyncIterable<Uint8Array>): Promise<BlobRef>;
  /** Makes a provisional one last, in the transaction that notes its ref. */
  keep(writing: Writing, ref: BlobRef): Promise<void>;
  /** Reads only what a range needs. Bytes that are read whole are compared with their checksum before the last are given. */
  read(ref: BlobRef, range?: ByteRange): AsyncIterable<Buffer>;
  /** Lets it go, in the transaction that forgets its ref: it is removed within an hour, or by `remove` at once. */
  drop(writing: Writing, ref: BlobRef): Promise<void>;
  remove(ref: BlobRef): Promise<void>;
  /** Removes what was left behind a day ago or earlier, and what belongs to workspaces that are gone. */
  sweep(isOver: () => boolean): Promise<void>;
}
