import type { Frame } from '../dialect/dialect.ts';
import { messageLength, preludeBytes, readMessage, writeMessage } from './aws-message.ts';
import type { FrameWriter, Framing, PlacedFrame, Rest, Split, Splitter } from './framing.ts';
import { noBytes, OpenBytes } from './open-bytes.ts';

/** The headers that name a frame's event. */
const eventHeaders: ReadonlySet<string> = new Set([':event-type', ':exception-type']);

/** The headers that most messages have, which are not copied to frames. */
const errorCodes: ReadonlyMap<string, string> = new Map([
  [':content-type', 'application/json'],
  [':message-type', 'event'],
]);

const otherHeaders = (headers: ReadonlyMap<string, string>): Frame['headers'] => {
  const others = [...headers].filter(([name, value]) => !eventHeaders.has(name) && errorCodes.get(name) !== value);
  return others.length > 0 ? Object.fromEntries(others) : undefined;
};

const readFrame = (message: Buffer): Frame => {
  const { headers, payload } = readMessage(message);
  const event = headers.get(':event-type') ?? headers.get(':exception-type');
  const others = otherHeaders(headers);
  const data = payload.toString('utf8');
  return {
    ...(event === undefined ? {} : { event }),
    data,
    ...(others === undefined ? {} : { headers: others }),
  };
};

const writeFrame = ({ event, data, headers = {} }: Frame): Buffer => {
  const all = new Map(errorCodes);
  for (const name of Object.keys(headers)) all.set(name, headers[name] ?? '');
  const isException = all.get(':message-type') === 'exception';
  if (event !== undefined) all.set(isException ? ':exception-type' : ':event-type', event);
  return writeMessage(all, data);
};

class AwsEventStreamSplitter implements Splitter {
  readonly #open = new OpenBytes();
  /** The number of bytes to wait for: first the lengths of a message, then the whole message. */
  #needed = preludeBytes;
  /** Why the bytes after the last frame are not a message. */
  #fault: unknown;

  get heldBytes(): number {
    return this.#open.size;
  }

  get isAtBorder(): boolean {
    return this.#open.size === 0;
  }

  push(chunk: Buffer): Split {
    if (this.#fault !== undefined) throw this.#fault;
    this.#open.push(chunk);
    if (this.#open.size < this.#needed) return { bytes: noBytes, frames: [] };
    const frames = this.#framesIn(this.#open.join());
    // Frames before an error are returned first, however the bytes were split.
    if (frames.length === 0 && this.#fault !== undefined) throw this.#fault;
    return { bytes: this.#open.take(frames.at(-1)?.end ?? 0), frames };
  }

  rest(): Rest {
    if (this.#fault !== undefined) throw this.#fault;
    const bytes = this.#open.take(this.#open.size);
    return { bytes, frames: [], isTorn: bytes.length > 0 };
  }

  #framesIn(bytes: Buffer): readonly PlacedFrame[] {
    const frames: PlacedFrame[] = [];
    let from = 0;
    try {
      while (bytes.length - from >= preludeBytes) {
        const length = messageLength(bytes, from);
        this.#needed = length;
        if (bytes.length - from < length) return frames;
        frames.push({ ...readFrame(bytes.subarray(from, from + length)), end: from + length });
        from += length;
        this.#needed = preludeBytes;
      }
    } catch (error) {
      this.#fault = error;
    }
    return frames;
  }
}

/** Messages are independent, so every stream uses the same writer. */
const writer: FrameWriter = {
  write(frames) {
    const [first] = frames;
    if (first === undefined) return noBytes;
    return frames.length === 1 ? writeFrame(first) : Buffer.concat(frames.map(writeFrame));
  },
  end: () => noBytes,
};

/**
 * AWS event streams: https://docs.aws.amazon.com/lexv2/latest/dg/event-stream-encoding.html. The header `:event-type` or
 * `:exception-type` becomes the event of the frame. A frame contains other headers only if they differ from the usual ones:
 * `:message-type` is `event`, or else `exception` or `error`, and `:content-type` is `application/json`.
 */
export const awsEventStream: Framing = {
  id: 'aws-eventstream',
  contentType: 'application/vnd.amazon.eventstream',
  createSplitter: () => new AwsEventStreamSplitter(),
  createWriter: () => writer,
};
