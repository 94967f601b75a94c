import { fstatSync, writeSync } from 'node:fs';
import type { CommandIo, TextOutput } from '../compiler/cli/command-line/services.ts';
import { type BoundedOutput, type BoundedOutputOptions, boundedOutput } from '../runtime/server/logs/bounded-output.ts';

const newLine = Buffer.from('\n');

const unbounded = (output: TextOutput): BoundedOutput => ({
  write: (text) => output.write(text),
  flushed: async () => {},
  dropped: () => 0,
});

export interface FileStreamOptions {
  readonly fd: number;
  /** Writes bytes to a file, and returns how many it took (default: `writeSync`). */
  readonly write?: (fd: number, bytes: Uint8Array) => number;
}

/**
 * Creates a stream to a file that writes at once, as the standard output does. A full disk may take only the beginning of a text.
 * That text counts as not written, and the next one begins on a new line.
 */
export const fileStream = ({ fd, write = writeSync }: FileStreamOptions): BoundedOutputOptions['stream'] => {
  let isCut = false;
  const writeAll = (bytes: Uint8Array): void => {
    let at = 0;
    while (at < bytes.length) {
      at += write(fd, bytes.subarray(at));
      isCut = at < bytes.length;
    }
  };
  return {
    ...{ destroyed: false, writableLength: 0 },
    write(text, done) {
      let failure: unknown;
      try {
        if (isCut) writeAll(newLine);
        writeAll(Buffer.from(text));
      } catch (error) {
        failure = error;
      }
      done?.(failure);
    },
  };
};

/** Returns the descriptor of the file that a stream writes to, if it is one. */
const findFile = (stream: object): number | undefined =>
  'fd' in stream && typeof stream.fd === 'number' && fstatSync(stream.fd).isFile() ? stream.fd : undefined;

/** Creates an output for as long as a gateway runs. An output that is not a stream accepts everything. */
const lasting = (output: TextOutput, lost: (count: number) => string): BoundedOutput => {
  const { stream } = output;
  if (stream === undefined) return unbounded(output);
  // If something cannot be written, a command ends, but a gateway counts it.
  stream.removeAllListeners('error').on('error', () => {});
  const fd = findFile(stream);
  return boundedOutput({ stream: fd === undefined ? stream : fileStream({ fd }), lost });
};

export interface ServeOutputs {
  readonly out: BoundedOutput;
  readonly err: BoundedOutput;
}

/** Once anything is written that could be dropped, the standard output has only JSON lines. */
export const serveOutputs = ({ out, err }: CommandIo): ServeOutputs => ({
  out: lasting(out, (count) => `{"dropped":${count}}\n`),
  err: lasting(err, (count) => `gw: ${count} messages were dropped here, because nobody read them.\n`),
});
