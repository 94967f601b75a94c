import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { UsageError } from './usage-error.ts';

/** The terminal at which a person is asked. */
interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/**
 * Asks the person at the terminal for a line. Control-C ends the process by its signal, as it does when nothing is asked. Rejects
 * with a `UsageError` if the input ends without an answer, for example by Control-D.
 */
export const askLine = async (
  question: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stdout },
): Promise<string> => {
  const lines = createInterface({ input, output });
  lines.on('SIGINT', () => {
    // Restores the mode of the terminal.
    lines.close();
    process.kill(process.pid, 'SIGINT');
  });
  const ended = once(lines, 'close').then(() => undefined);
  try {
    // Some versions of Node reject a question whose input ends, and others leave it pending.
    const line = await Promise.race([lines.question(question).catch(() => undefined), ended]);
    if (line === undefined) {
      output.write('\n');
      throw new UsageError(
        'The input has ended, and a question has no answer.',
        'Run the command again and answer it.',
      );
    }
    return line.trim();
  } finally {
    lines.close();
  }
};
