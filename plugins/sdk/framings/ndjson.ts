import type { FrameWriter, Framing, PlacedFrame, Rest, Split, Splitter } from './framing.ts';
import { noBytes, OpenBytes } from './open-bytes.ts';

const lf = 10;

/** Adds the frame of a line. An empty line has none. */
const addLine = (line: string, end: number, frames: PlacedFrame[]): void => {
  const data = line.trim();
  if (data !== '') frames.push({ data, end });
};

class NdjsonSplitter implements Splitter {
  readonly #open = new OpenBytes();

  get heldBytes(): number {
    return this.#open.size;
  }

  get isAtBorder(): boolean {
    return this.#open.size === 0;
  }

  push(chunk: Buffer): Split {
    const last = chunk.lastIndexOf(lf);
    const before = this.#open.size;
    this.#open.push(chunk);
    if (last === -1) return { bytes: noBytes, frames: [] };
    const bytes = this.#open.take(before + last + 1);
    const frames: PlacedFrame[] = [];
    let from = 0;
    while (from < bytes.length) {
      const end = bytes.indexOf(lf, from) + 1;
      addLine(bytes.toString('utf8', from, end), end, frames);
      from = end;
    }
    return { bytes, frames };
  }

  rest(): Rest {
    const bytes = this.#open.take(this.#open.size);
    const frames: PlacedFrame[] = [];
    addLine(bytes.toString('utf8'), bytes.length, frames);
    return { bytes, frames, isTorn: false };
  }
}

/** Line breaks in JSON are white space between tokens. */
const writeLine = (data: string): string => `${/[\r\n]/.test(data) ? data.replaceAll(/[\r\n]+/g, ' ') : data}\n`;

const writer: FrameWriter = {
  write: (frames) => Buffer.from(frames.map(({ data }) => writeLine(data)).join('')),
  end: () => noBytes,
};

/** One JSON text on each line: https://github.com/ndjson/ndjson-spec. Frames have no events. */
export const ndjson: Framing = {
  id: 'ndjson',
  contentType: 'application/x-ndjson',
  createSplitter: () => new NdjsonSplitter(),
  createWriter: () => writer,
};
