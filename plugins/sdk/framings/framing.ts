import type { Frame, FramingId } from '../dialect/dialect.ts';

/** A frame, and the offset of its end in the bytes it came in. */
export interface PlacedFrame extends Frame {
  readonly end: number;
}

/** The complete part of a stream: bytes up to the last border between frames, and the frames in them. */
export interface Split {
  readonly bytes: Buffer;
  readonly frames: readonly PlacedFrame[];
}

/** The bytes after the last border of a stream that has ended. */
export interface Rest extends Split {
  /** Whether bytes after the frame, or all bytes if there is none, began something and did not end it. */
  readonly isTorn: boolean;
}

/**
 * Finds the frames of a stream that arrives in any chunks. Law: the `bytes` of all splits and the `rest`, one after
 * another, are the bytes that were pushed; and the frames do not depend on where the chunks were cut.
 */
export interface Splitter {
  /** The number of bytes held back because their frame is not complete. */
  readonly heldBytes: number;
  /** Whether the next byte begins a frame, so that bytes of whole frames may bypass the splitter. */
  readonly isAtBorder: boolean;
  /**
   * Throws an `Error` that says why the bytes are no stream of this framing. If frames came before those bytes in the
   * same chunk, they are given first, and the next call throws.
   */
  push(chunk: Buffer): Split;
  /**
   * The bytes after the last border. They have at most one frame, which lacks its border: whether it is whole is for its
   * dialect to say. May throw as well.
   */
  rest(): Rest;
}

/** How the frames of a stream are written in bytes. */
export interface Framing {
  readonly id: FramingId;
  /** The content type of such a stream. */
  readonly contentType: string;
  createSplitter(): Splitter;
  createWriter(): FrameWriter;
  /** Whether a frame can be written so that it is read again; absent where every frame can. */
  canWrite?(frame: Frame): boolean;
}

/** Writes the frames of one stream. */
export interface FrameWriter {
  write(frames: readonly Frame[]): Buffer;
  /** Returns the bytes after the last frame of a complete stream; may be empty. */
  end(): Buffer;
}
