import { askLine } from '../command-line/ask-line.ts';

/** Asks a question with several answers, of which the first is the default. Returns what was typed. */
export type Ask = (question: string, choices: readonly string[]) => Promise<string>;

/** Returns the function that asks at the terminal; undefined if there is no terminal. */
export const terminalAsk = (): Ask | undefined => {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) return undefined;
  return (question, choices) => askLine(`${question} ${choices.join(', ')} [${choices[0]}] `);
};
