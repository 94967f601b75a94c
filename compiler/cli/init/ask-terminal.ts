import { createInterface } from 'node:readline/promises';

/** Asks a question with some answers, of which the first is the default; gives what was typed. */
export type Ask = (question: string, choices: readonly string[]) => Promise<string>;

/** Asks the person at the terminal; undefined where nobody is. */
export const terminalAsk = (): Ask | undefined => {
  const { stdin: input, stdout: output } = process;
  if (input.isTTY !== true || output.isTTY !== true) return undefined;
  return async (question, choices) => {
    const lines = createInterface({ input, output });
    try {
      return (await lines.question(`${question} ${choices.join(', ')} [${choices[0]}] `)).trim();
    } finally {
      lines.close();
    }
  };
};
