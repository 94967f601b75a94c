import { styleText } from 'node:util';
import { maskSecrets } from '../diagnostic-text/mask-secrets.ts';
import { editBetween } from '../parse/edit-between.ts';

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
  const edit = editBetween(linesOf(before), linesOf(after));
  const paint = (style: 'red' | 'green', line: string): string =>
    colour ? styleText(style, line, { validateStream: false }) : line;
  const cut = (text: string, end: number): readonly string[] => shownLines(text, file).slice(edit.from, end);
  return [
    `${file}:${edit.from + 1}`,
    ...cut(before, edit.before).map((line) => paint('red', `- ${line}`)),
    ...cut(after, edit.after).map((line) => paint('green', `+ ${line}`)),
    '',
  ].join('\n');
};
