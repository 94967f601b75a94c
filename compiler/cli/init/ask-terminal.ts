import { askLine } from '../command-line/ask-line.ts';

/** Asks a question with some answers, of which the first is the default; gives what was typed. */
export type Ask = (question: string, choices: readonly string[]) => Promise<string>;

/** Asks the person at the terminal; undefined where nobody is. */
export const terminalAsk = (): Ask | undefined => {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) return undefined;
  return (question, choices) => askLine(`${question} ${choices.join(', ')} [${choices[0]}] `);
};
