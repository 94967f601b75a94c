import type { Frame } from '../dialect/dialect.ts';
import { holdChunk } from '../http/hold-chunk.ts';
import type { FrameWriter, Framing, PlacedFrame, Rest, Split, Splitter } from './framing.ts';

const lf = 10;
const cr = 13;
const nothing: Buffer = Buffer.alloc(0);

const toFrame = (event: string | undefined, data: string): Frame => (event === undefined ? { data } : { event, data });

/** Returns the data of a block with a single data line and line feeds, as most frames are. */
const plainData = (block: string): string | undefined => {
  if (!block.startsWith('data:')) return undefined;
  const lineEnd = block.indexOf('\n');
  if (lineEnd !== block.length - 2 || block.includes('\r')) return undefined;
  return block.slice(block.charCodeAt(5) === 32 ? 6 : 5, lineEnd);
};

/**
 * Parses a block of lines according to https://html.spec.whatwg.org/multipage/server-sent-events.html. A block without data is
 * not a frame.
 */
export const parseFrame = (block: string): Frame | undefined => {
  const plain = plainData(block);
  if (plain !== undefined) return { data: plain };
  let event: string | undefined;
  let data: string | undefined;
  for (const line of block.split(/\r\n|\r|\n/)) {
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line.charCodeAt(colon + 1) === 32 ? colon + 2 : colon + 1);
    if (field === 'data') data = data === undefined ? value : `${data}\n${value}`;
    else if (field === 'event') event = value === '' ? undefined : value;
  }
  return data === undefined ? undefined : toFrame(event, data);
};

const lineBreaks = /\r\n|\r|\n/g;

const hasBreak = (text: string): boolean => text.includes('\n') || text.includes('\r');

/**
 * Writes a frame as text. `parseFrame` reads it back, with line feeds for all line breaks. An event must be one line, but a frame
 * of another framing may have any text there.
 */
export const writeFrame = ({ event, data }: Frame): string => {
  const lines = hasBreak(data) ? data.replaceAll(lineBreaks, '\ndata: ') : data;
  if (event === undefined) return `data: ${lines}\n\n`;
  const name = hasBreak(event) ? event.replaceAll(lineBreaks, ' ') : event;
  return `event: ${name}\ndata: ${lines}\n\n`;
};

/**
 * Returns the length of the lines of a block that are complete. A last line of data counts as complete, because its data shows
 * whether it is.
 */
const wholeLines = (bytes: Buffer): number => {
  const last = Math.max(bytes.lastIndexOf(lf), bytes.lastIndexOf(cr)) + 1;
  return /^\ufeff?data:/.test(bytes.toString('utf8', last, last + 8)) ? bytes.length : last;
};

/** Whether lines are all empty or comments, which belong to no frame. */
const saysNothing = (bytes: Buffer): boolean => !/(?:^|[\r\n])[^:\r\n]/.test(bytes.toString('latin1'));

/** https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream */
export class SseSplitter implements Splitter {
  /** The bytes since the last border. */
  #open: Buffer[] = [];
  #openSize = 0;
  #lineIsEmpty = true;
  /** Whether the last byte was a carriage return, so that a following line feed belongs to it. */
  #afterReturn = false;
  #isFirst = true;

  get heldBytes(): number {
    return this.#openSize;
  }

  get isAtBorder(): boolean {
    return this.#openSize === 0 && this.#lineIsEmpty && !this.#afterReturn;
  }

  push(chunk: Buffer): Split {
    const borders = this.#bordersIn(chunk);
    const last = borders[borders.length - 1];
    if (last === undefined) {
      holdChunk(this.#open, chunk);
      this.#openSize += chunk.length;
      return { bytes: nothing, frames: [] };
    }
    const head = last === chunk.length ? chunk : chunk.subarray(0, last);
    const before = this.#openSize;
    const bytes = before === 0 ? head : Buffer.concat([...this.#open, head], before + last);
    this.#open = last === chunk.length ? [] : [chunk.subarray(last)];
    this.#openSize = chunk.length - last;
    return { bytes, frames: this.#framesIn(bytes, borders, before) };
  }

  rest(): Rest {
    const bytes = this.#open.length === 0 ? nothing : Buffer.concat(this.#open, this.#openSize);
    this.#open = [];
    this.#openSize = 0;
    if (bytes.length === 0) return { bytes, frames: [], isTorn: false };
    const end = wholeLines(bytes);
    const frames = end === 0 ? [] : this.#framesIn(bytes, [end], 0);
    return { bytes, frames, isTorn: end < bytes.length || (frames.length === 0 && !saysNothing(bytes)) };
  }

  #framesIn(bytes: Buffer, borders: readonly number[], offset: number): readonly PlacedFrame[] {
    const frames: PlacedFrame[] = [];
    let from = 0;
    for (const border of borders) {
      const end = border + offset;
      const frame = parseFrame(this.#withoutMark(bytes.toString('utf8', from, end)));
      if (frame !== undefined) frames.push({ ...frame, end });
      from = end;
    }
    return frames;
  }

  /** The stream may start with a byte order mark. */
  #withoutMark(block: string): string {
    if (!this.#isFirst) return block;
    this.#isFirst = false;
    return block.charCodeAt(0) === 0xfeff ? block.slice(1) : block;
  }

  /** Returns the offsets at which frames end, that is, after each empty line. */
  #bordersIn(chunk: Buffer): number[] {
    const borders: number[] = [];
    const hasReturns = chunk.includes(cr);
    let at = this.#afterReturn && chunk[0] === lf ? 1 : 0;
    if (chunk.length > 0) this.#afterReturn = false;
    while (at < chunk.length) {
      const end = nextLineEnd(chunk, at, hasReturns);
      if (end === -1) {
        this.#lineIsEmpty = false;
        break;
      }
      const isBorder = this.#lineIsEmpty && end === at;
      at = end + 1;
      if (chunk[end] === cr) {
        if (at === chunk.length) this.#afterReturn = true;
        else if (chunk[at] === lf) at += 1;
      }
      this.#lineIsEmpty = true;
      if (isBorder) borders.push(at);
    }
    return borders;
  }
}

const nextLineEnd = (chunk: Buffer, from: number, hasReturns: boolean): number => {
  if (!hasReturns) return chunk.indexOf(lf, from);
  for (let at = from; at < chunk.length; at += 1) if (chunk[at] === lf || chunk[at] === cr) return at;
  return -1;
};

/** Frames are independent, so every stream uses the same writer. */
const writer: FrameWriter = {
  write(frames) {
    const [first] = frames;
    if (first === undefined) return nothing;
    return Buffer.from(frames.length === 1 ? writeFrame(first) : frames.map(writeFrame).join(''));
  },
  end: () => nothing,
};

/** Server-sent events. */
export const sse: Framing = {
  id: 'sse',
  contentType: 'text/event-stream',
  createSplitter: () => new SseSplitter(),
  createWriter: () => writer,
};
