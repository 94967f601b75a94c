import { styleText } from 'node:util';
import { maskSecrets } from '../excerpts/mask-secrets.ts';

interface Changed {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

const linesOf = (text: string): readonly string[] => text.split(/\r\n|\n|\r/);

const shownLines = (text: string, file: string): readonly string[] =>
  linesOf(maskSecrets(text, file)).map((line) => line.replace(/[\p{Cc}\u2028\u2029]/gu, ' '));

/** Returns the lines that a change removed and added, without secrets. */
export const difference = ({ file, before, after }: Changed, colour: boolean): string => {
  const [old, now] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(old.length, now.length);
  let same = 0;
  while (same < shorter && old[same] === now[same]) same += 1;
  let tail = 0;
  while (tail < shorter - same && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const paint = (style: 'red' | 'green', line: string): string =>
    colour ? styleText(style, line, { validateStream: false }) : line;
  const cut = (text: string, count: number): readonly string[] => shownLines(text, file).slice(same, count - tail);
  return [
    `${file}:${same + 1}`,
    ...cut(before, old.length).map((line) => paint('red', `- ${line}`)),
    ...cut(after, now.length).map((line) => paint('green', `+ ${line}`)),
    '',
  ].join('\n');
};
