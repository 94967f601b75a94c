import type { Duplex } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { fromJson } from '../../../../schema/json/from-json.ts';

export interface LineChannelOptions {
  /** Returns the maximum length of a received line. Called as lines arrive. */
  readonly longestLine: () => number;
  readonly receive: (message: unknown) => void;
  /** Called once, if a line is too long or is not JSON. Nothing is received afterwards. */
  readonly broken: (why: string) => void;
}

/** Exchanges messages over a byte stream, in both directions. */
export interface LineChannel {
  /** Called once, with the stream. Messages that were sent before are queued until then. */
  attach(stream: Duplex): void;
  /** The number of bytes that the other side has not read yet. */
  readonly waiting: number;
  /** Sends a message and returns the length of its line. Throws if the message cannot be written as JSON. */
  send(message: unknown): number;
  /** Sends a message that is already JSON, on one line. */
  sendText(json: string): number;
}

/** Creates a channel that sends and receives JSON texts, one per line. */
export const createLineChannel = ({ longestLine, receive, broken }: LineChannelOptions): LineChannel => {
  const decoder = new StringDecoder('utf8');
  let pieces: string[] = [];
  let length = 0;
  let isBroken = false;
  let stream: Duplex | undefined;
  let early: string[] = [];
  let earlyLength = 0;

  const breakOff = (why: string): void => {
    isBroken = true;
    pieces = [];
    broken(why);
  };
  const add = (text: string): boolean => {
    length += text.length;
    if (length > longestLine()) {
      breakOff(`it sent a message of more than ${longestLine()} characters`);
      return false;
    }
    pieces.push(text);
    return true;
  };
  const take = (): void => {
    const line = pieces.join('');
    pieces = [];
    length = 0;
    let message: unknown;
    try {
      message = fromJson(line);
    } catch {
      breakOff('it sent a message that is not JSON');
      return;
    }
    receive(message);
  };

  const read = (bytes: Buffer): void => {
    const lines = decoder.write(bytes).split('\n');
    for (const [index, text] of lines.entries()) {
      if (isBroken || !add(text)) return;
      if (index < lines.length - 1) take();
    }
  };
  const write = (line: string): void => {
    if (stream === undefined) {
      early.push(line);
      earlyLength += line.length;
    } else if (stream.writable) stream.write(line);
  };
  const sendText = (json: string): number => {
    const line = `${json}\n`;
    write(line);
    return line.length;
  };
  return {
    attach: (attached) => {
      stream = attached;
      stream.on('data', read);
      // The end of the process is a better error than a failed write to it.
      stream.on('error', () => {});
      for (const line of early) write(line);
      early = [];
    },
    get waiting() {
      return stream?.writableLength ?? earlyLength;
    },
    send: (message) => sendText(JSON.stringify(message)),
    sendText,
  };
};
