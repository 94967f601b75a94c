import { fromJson } from '../../../schema/json/from-json.ts';
import type { FrameWriter, Framing, PlacedFrame, Rest, Split, Splitter } from './framing.ts';
import { noBytes, OpenBytes } from './open-bytes.ts';

/** The place of an array element in the stream. `to` is exclusive. */
interface ElementPlace {
  readonly from: number;
  readonly to: number;
}

const [quote, comma, open, backslash, close, openBrace, closeBrace] = [34, 44, 91, 92, 93, 123, 125];

const isSpace = (byte: number): boolean => byte === 32 || byte === 10 || byte === 13 || byte === 9;

/** The token that may follow outside of elements. */
type Expected = 'array' | 'first' | 'element' | 'comma' | 'nothing';

/** The kind of the open element: an object or a list, a string, or a number or literal, which ends at the byte after it. */
type Element = 'nested' | 'string' | 'word';

/**
 * Finds the elements of one JSON array byte by byte, from its brackets, strings and commas. The content of elements is not
 * validated.
 */
class ArrayScanner {
  #expected: Expected = 'array';
  #element: Element | undefined;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The offsets of the next byte and of the open element in the stream. */
  #at = 0;
  #from = 0;

  /** Whether the array has ended. */
  get isClosed(): boolean {
    return this.#expected === 'nothing';
  }

  /** Returns the elements that the chunk completes. Throws an `Error` at a byte that cannot be part of an array. */
  *scan(chunk: Buffer): Generator<ElementPlace> {
    for (const byte of chunk) {
      if (this.#element === undefined) this.#outside(byte);
      else if (this.#element === 'word' ? endsWord(byte) : this.#endsWith(byte)) {
        const isWord = this.#element === 'word';
        yield { from: this.#from, to: isWord ? this.#at : this.#at + 1 };
        this.#element = undefined;
        if (isWord) this.#outside(byte);
      }
      this.#at += 1;
    }
  }

  #outside(byte: number): void {
    if (isSpace(byte)) return;
    const expected = this.#expected;
    const mayClose = expected === 'comma' || expected === 'first';
    if (mayClose && byte === close) this.#expected = 'nothing';
    else if (expected === 'comma' && byte === comma) this.#expected = 'element';
    else if (expected === 'array' && byte === open) this.#expected = 'first';
    else if ((expected === 'first' || expected === 'element') && !endsWord(byte)) this.#begin(byte);
    else throw new Error('The stream is not a JSON array.');
  }

  #begin(byte: number): void {
    this.#from = this.#at;
    this.#expected = 'comma';
    this.#depth = byte === openBrace || byte === open ? 1 : 0;
    this.#inString = byte === quote;
    if (this.#depth === 1) this.#element = 'nested';
    else this.#element = this.#inString ? 'string' : 'word';
  }

  /** Whether this byte is the last of an element other than a number or literal. */
  #endsWith(byte: number): boolean {
    if (this.#inString) return this.#endsString(byte) && this.#element === 'string';
    if (byte === quote) this.#inString = true;
    else if (byte === openBrace || byte === open) this.#depth += 1;
    else if (byte === closeBrace || byte === close) this.#depth -= 1;
    return this.#depth === 0;
  }

  #endsString(byte: number): boolean {
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quote) this.#inString = false;
    return !this.#inString;
  }
}

const endsWord = (byte: number): boolean => byte === comma || byte === close || byte === closeBrace || isSpace(byte);

/** A border is after an element or after the array, so a comma belongs to the element that follows it. */
class JsonArraySplitter implements Splitter {
  readonly #open = new OpenBytes();
  readonly #scanner = new ArrayScanner();
  /** The offset of the open bytes in the stream. */
  #start = 0;
  /** Why the bytes after the last frame are not part of an array. */
  #fault: unknown;
  /** Elements are preceded by a comma, and only this splitter knows whether it has arrived. */
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
    // Frames before an error are returned first, however the bytes were split.
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
    } catch (error) {
      this.#fault = error;
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
 * One JSON array whose elements are the frames, as Google's `streamGenerateContent` answers without `alt=sse`. Frames have no
 * events.
 */
export const jsonArray: Framing = {
  id: 'json-array',
  contentType: 'application/json',
  createSplitter: () => new JsonArraySplitter(),
  createWriter: () => new JsonArrayWriter(),
  canWrite: ({ data }) => isJson(data),
};
