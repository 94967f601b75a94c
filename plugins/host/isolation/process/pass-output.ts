import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

const longestLine = 2000;
const maxLines = 200;
const windowMs = 10_000;

/**
 * Passes on what a process prints, line by line. A process that prints more than 200 lines in ten seconds is read no
 * further until they are over, so that it waits, and nobody else does.
 */
export const passOutput = (stream: Readable, line: (text: string) => void): void => {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let lines = 0;
  let since = Date.now();
  const passLine = (text: string): void => {
    if (text.trim() !== '') line(text.slice(0, longestLine));
    lines += 1;
  };
  stream.on('data', (bytes: Buffer) => {
    const parts = `${rest}${decoder.write(bytes)}`.split('\n');
    rest = parts.pop()?.slice(0, longestLine) ?? '';
    for (const part of parts) passLine(part);
    const now = Date.now();
    if (now - since > windowMs) {
      since = now;
      lines = 0;
    }
    if (lines < maxLines) return;
    stream.pause();
    setTimeout(() => {
      lines = 0;
      since = Date.now();
      stream.resume();
    }, windowMs).unref();
  });
  stream.on('end', () => passLine(rest));
  stream.on('error', () => {});
};
