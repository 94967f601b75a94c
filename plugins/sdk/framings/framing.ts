import type { Frame, FramingId } from '../dialect/dialect.ts';

/** A frame, and the offset of its end in the bytes that it came in. */
export interface PlacedFrame extends Frame {
  readonly end: number;
}

/** The complete part of a stream: the bytes up to the last border between frames, and their frames. */
export interface Split {
  readonly bytes: Buffer;
  readonly frames: readonly PlacedFrame[];
}

/** The bytes after the last border of a stream that has ended. */
export interface Rest extends Split {
  /** Whether the bytes after the frame, or all bytes if there is none, are the start of an incomplete frame. */
  readonly isTorn: boolean;
}

/**
 * Finds the frames of a stream that arrives in arbitrary chunks. Law: concatenated, the `bytes` of all splits and of `rest` are
 * the bytes that were pushed; and the frames do not depend on how the chunks were split.
 */
export interface Splitter {
  /** The number of bytes held back because their frame is incomplete. */
  readonly heldBytes: number;
  /** Whether the next byte starts a frame, so that bytes of whole frames may bypass the splitter. */
  readonly isAtBorder: boolean;
  /**
   * Throws an `Error` that explains why the bytes are not a stream of this framing. If the same chunk has frames before those
   * bytes, they are returned first, and the next call throws.
   */
  push(chunk: Buffer): Split;
  /**
   * Returns the bytes after the last border. They contain at most one frame, without its border; its dialect decides whether it
   * is complete. May also throw.
   */
  rest(): Rest;
}

/** How the frames of a stream are encoded in bytes. */
export interface Framing {
  readonly id: FramingId;
  /** The content type of such a stream. */
  readonly contentType: string;
  createSplitter(): Splitter;
  createWriter(): FrameWriter;
  /** Whether a frame can be written so that it can be read again. If absent, every frame can. */
  canWrite?(frame: Frame): boolean;
}

/** Writes the frames of one stream. */
export interface FrameWriter {
  write(frames: readonly Frame[]): Buffer;
  /** Returns the bytes after the last frame of a complete stream. May be empty. */
  end(): Buffer;
}
