import { errorCode } from '../../../schema/text/error-code.ts';
import { fileError, fileHint } from '../../../schema/text/file-error.ts';
import type { CommandIo } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** A line of a file, counted from 1; without its text if it is longer than any line that the gateway writes. */
export interface FileLine {
  readonly number: number;
  readonly text?: string;
}

/** The maximum length of a line, in bytes. */
const maxLineBytes = 4 * 1024 * 1024;

const lineFeed = 0x0a;

/** A line that is being read: its parts so far, unless it is too long. */
class Unfinished {
  #parts: Uint8Array[] = [];
  #bytes = 0;

  add(part: Uint8Array): void {
    this.#bytes += part.byteLength;
    if (this.#bytes > maxLineBytes) this.#parts = [];
    else this.#parts.push(part);
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  /** Returns its text and clears it; returns undefined if it was too long. */
  take(): string | undefined {
    const text = this.#bytes > maxLineBytes ? undefined : Buffer.concat(this.#parts).toString('utf8');
    this.#parts = [];
    this.#bytes = 0;
    return text;
  }
}

/** Splits bytes into lines, and keeps only one line at a time in memory. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileLine, void, void> {
  const line = new Unfinished();
  let number = 0;
  const next = (): FileLine => {
    number += 1;
    const text = line.take();
    return text === undefined ? { number } : { number, text };
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let to = chunk.indexOf(lineFeed); to !== -1; to = chunk.indexOf(lineFeed, from)) {
      line.add(chunk.subarray(from, to));
      from = to + 1;
      yield next();
    }
    line.add(chunk.subarray(from));
  }
  if (!line.isEmpty) yield next();
}

/** Yields the lines of a log, or for `-` of the standard input. Throws a `UsageError` if it cannot be read. */
export async function* readLogLines(io: CommandIo, file: string): AsyncGenerator<FileLine, void, void> {
  try {
    yield* readLines(io.readChunks(file));
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    throw new UsageError(`The log "${file}" cannot be read: ${fileError(error)}.`, fileHint(error));
  }
}
