import { createInterface } from 'node:readline/promises';

/** Asks the person at the terminal for a line. Control-C ends the process by its signal, as it does where nothing is asked. */
export const askLine = async (question: string): Promise<string> => {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  lines.on('SIGINT', () => {
    // The terminal gets its own mode back.
    lines.close();
    process.kill(process.pid, 'SIGINT');
  });
  try {
    return (await lines.question(question)).trim();
  } finally {
    lines.close();
  }
};
