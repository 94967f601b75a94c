import { isUtf8 } from 'node:buffer';

const lineFeed = 0x0a;

/** Thrown if a file is not encoded in UTF-8. The message says where, and what to do. */
export class NotUtf8Error extends Error {
  /** The first line that is not UTF-8; lines are counted from 1. */
  readonly line: number;

  constructor(line: number) {
    super(`Line ${line} is not in UTF-8. Save the file as UTF-8.`);
    this.line = line;
  }
}

const firstWrongLine = (bytes: Buffer): number => {
  let line = 1;
  let from = 0;
  for (;;) {
    const to = bytes.indexOf(lineFeed, from);
    if (to < 0 || !isUtf8(bytes.subarray(from, to))) return line;
    from = to + 1;
    line += 1;
  }
};

/** Decodes the text of a file, including its byte order mark if it has one. Throws a `NotUtf8Error`. */
export const utf8Text = (bytes: Buffer): string => {
  if (!isUtf8(bytes)) throw new NotUtf8Error(firstWrongLine(bytes));
  return bytes.toString('utf8');
};
