import { fromJson } from '../../../schema/json/from-json.ts';
import { ArrayScanner } from './array-scanner.ts';
import type { FrameWriter, Framing, PlacedFrame, Rest, Split, Splitter } from './framing.ts';
import { noBytes, OpenBytes } from './open-bytes.ts';

/** A border is after an element or after the array, so a comma belongs to the element that follows it. */
class JsonArraySplitter implements Splitter {
  readonly #open = new OpenBytes();
  readonly #scanner = new ArrayScanner();
  /** Where the open bytes begin in the stream. */
  #start = 0;
  /** Why the bytes after the last frame are no part of an array. */
  #fault: unknown;
  /** A comma comes before an element, and only this splitter knows whether it has come. */
  readonly isAtBorder = false;

  get heldBytes(): number {
    return this.#open.size;
  }

  push(chunk: Buffer): Split {
    if (this.#fault !== undefined) throw this.#fault;
    this.#open.push(chunk);
    const frames = this.#framesIn(chunk);
    if (this.#scanner.isClosed && this.#fault === undefined) return this.#split(frames, this.#open.size);
    const last = frames.at(-1);
    // Frames before a fault are given first, wherever the bytes were cut.
    if (last === undefined && this.#fault !== undefined) throw this.#fault;
    return last === undefined ? { bytes: noBytes, frames } : this.#split(frames, last.end);
  }

  rest(): Rest {
    if (this.#fault !== undefined) throw this.#fault;
    return { ...this.#split([], this.#open.size), isTorn: !this.#scanner.isClosed };
  }

  #split(frames: readonly PlacedFrame[], length: number): Split {
    this.#start += length;
    return { bytes: this.#open.take(length), frames };
  }

  #framesIn(chunk: Buffer): readonly PlacedFrame[] {
    const frames: PlacedFrame[] = [];
    try {
      for (const { from, to } of this.#scanner.scan(chunk)) {
        const end = to - this.#start;
        frames.push({ data: this.#open.join().toString('utf8', from - this.#start, end), end });
      }
    } catch (fault) {
      this.#fault = fault;
    }
    return frames;
  }
}

/** Google's own servers put a line break after each comma. */
const separator = ',\r\n';

class JsonArrayWriter implements FrameWriter {
  #hasBegun = false;

  write(frames: readonly { readonly data: string }[]): Buffer {
    if (frames.length === 0) return noBytes;
    const before = this.#hasBegun ? separator : '[';
    this.#hasBegun = true;
    return Buffer.from(before + frames.map(({ data }) => data).join(separator));
  }

  end(): Buffer {
    return Buffer.from(this.#hasBegun ? ']' : '[]');
  }
}

const isJson = (text: string): boolean => {
  try {
    fromJson(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * One JSON array, an element of which is a frame: what Google's `streamGenerateContent` answers without `alt=sse`. Frames
 * have no events.
 */
export const jsonArray: Framing = {
  id: 'json-array',
  contentType: 'application/json',
  createSplitter: () => new JsonArraySplitter(),
  createWriter: () => new JsonArrayWriter(),
  canWrite: ({ data }) => isJson(data),
};
