import type { Duplex } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { fromJson } from '../../../../schema/json/from-json.ts';

export interface LineChannelOptions {
  /** The most characters of one received line, asked as they arrive. */
  readonly longestLine: () => number;
  readonly receive: (message: unknown) => void;
  /** Called once, when a line is too long or is not JSON; nothing is received after it. */
  readonly broken: (why: string) => void;
}

/** Messages over a stream of bytes, in both directions. */
export interface LineChannel {
  /** Called once, with the stream; what was sent before waits for it. */
  attach(stream: Duplex): void;
  /** How many bytes wait to be read by the other side. */
  readonly waiting: number;
  /** Returns the length of the line. Throws where the message cannot be written as JSON. */
  send(message: unknown): number;
  /** Sends a message that is JSON already, on one line. */
  sendText(json: string): number;
}

/** Sends and receives JSON texts, one on each line. */
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
      // The end of the process says more than a failed write to it.
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
