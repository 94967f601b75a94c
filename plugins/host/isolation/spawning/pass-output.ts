import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

const longestLine = 2000;
const maxLines = 200;
const windowMs = 10_000;

/**
 * Passes on what a process prints, line by line. If it prints more than 200 lines in ten seconds, its output is not read until
 * they are over, so that only that process has to wait.
 */
export const passOutput = (stream: Readable, line: (text: string) => void): void => {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  /** Lines that were read together with the last line that was passed on. */
  let waiting: readonly string[] = [];
  let lines = 0;
  let since = Date.now();
  const passLine = (text: string): void => {
    if (text.trim() !== '') line(text.slice(0, longestLine));
    lines += 1;
  };
  const beginWindow = (): void => {
    since = Date.now();
    lines = 0;
  };
  const passWaiting = (): void => {
    const passed = waiting.slice(0, maxLines - lines);
    waiting = waiting.slice(passed.length);
    for (const each of passed) passLine(each);
    if (lines < maxLines) {
      stream.resume();
      return;
    }
    stream.pause();
    setTimeout(() => {
      beginWindow();
      passWaiting();
    }, windowMs).unref();
  };
  stream.on('data', (bytes: Buffer) => {
    const parts = `${rest}${decoder.write(bytes)}`.split('\n');
    rest = parts.pop()?.slice(0, longestLine) ?? '';
    waiting = [...waiting, ...parts];
    if (Date.now() - since > windowMs) beginWindow();
    passWaiting();
  });
  stream.on('end', () => passLine(rest));
  stream.on('error', () => {});
};
